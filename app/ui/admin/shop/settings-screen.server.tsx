import type { ShownSetting, ShownShopFile } from "~/domain/console/shown-setting"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { brandSourceText } from "../brand/brand-screen.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, Notice, type ProofAsked } from "../form-parts.server"
import { ListTable } from "../list-parts.server"

type SettingsProps = {
  /** Without values for who is no owner. */
  settings: readonly ShownSetting[]
  shopFile: ShownShopFile
  isOwner: boolean
  notice: ActionNotice | null
  secrets: StoredSecretsProps
  /** Whose rules of tax are in force; null: an external billing taxes. */
  tax: "console" | "file" | null
  /** Sections of the shop file, with the version of the console that has taken their place; null: none has. */
  brand: readonly { readonly name: string; readonly version: number | null }[]
}

/** What the shop runs with, and what a restart would change. */
export function SettingsScreen(props: SettingsProps) {
  const { settings, shopFile, isOwner, notice, secrets, tax, brand } = props
  const stale = settings.filter(({ isStale }) => isStale).map(({ name }) => name)
  const given = settings.filter(({ isSet }) => isSet)
  return (
    <>
      <div className="title">
        <h1>{t("settings.title")}</h1>
        <p>{t("settings.lead")}</p>
      </div>
      {notice && <Notice kind={notice.kind}>{notice.text}</Notice>}
      {!isOwner && <Notice kind="warning">{t("settings.owners")}</Notice>}
      {stale.length > 0 ? (
        <Notice kind="warning">{t("settings.stale", { names: stale.join(", ") })}</Notice>
      ) : (
        <p>{t("settings.current")}</p>
      )}
      {tax && (
        <p>
          <a href={consoleHref("/admin/tax")}>{t("tax.ofSettings", { source: t(`tax.sources.${tax}`) })}</a>
        </p>
      )}
      <section className="card">
        <h2>{t("settings.given")}</h2>
        {given.length === 0 ? <p>{t("settings.noneSet")}</p> : <Given settings={given} />}
      </section>
      <StoredSecrets {...secrets} />
      <section className="card">
        <h2>{t("brand.title")}</h2>
        <ListTable label={t("brand.title")} heads={[{ text: "settings.name" }, { text: "settings.source" }]}>
          {brand.map(({ name, version }) => (
            <tr key={name}>
              <td className="breaks">
                <a href={consoleHref("/admin/brand")}>{name}</a>
              </td>
              <td>{brandSourceText(version)}</td>
            </tr>
          ))}
        </ListTable>
      </section>
      <details className="card">
        <summary>{t("settings.others")}</summary>
        <ListTable
          label={t("settings.others")}
          heads={[{ text: "settings.name" }, { text: "settings.usual" }]}
        >
          {settings
            .filter(({ isSet }) => !isSet)
            .map(({ name, about, usual }) => (
              <tr key={name}>
                <td className="breaks">
                  {name} <small>{about}</small>
                </td>
                <td className="breaks">{usual ?? t("settings.nothing")}</td>
              </tr>
            ))}
        </ListTable>
      </details>
      <ShopFileValues shopFile={shopFile} isOwner={isOwner} />
    </>
  )
}

type StoredSecretsProps = {
  /** `outdated`: encrypted with a later one of `OPERATOR_SECRETS`. */
  counts: { readonly current: number; readonly outdated: number; readonly unreadable: readonly unknown[] }
  /** Null: this role may not encrypt them anew. */
  formKey: string | null
  proof: ProofAsked
  refused: { readonly reason: string } | null
}

/** With which of `OPERATOR_SECRETS` stored secrets are encrypted, and the form that encrypts them anew with the first. */
function StoredSecrets({ counts, formKey, proof, refused }: StoredSecretsProps) {
  const { current, outdated, unreadable } = counts
  return (
    <section className="card">
      <h2>{t("settings.secrets.title")}</h2>
      {unreadable.length > 0 && (
        <Notice kind="bad">{t("settings.secrets.unreadable", { count: unreadable.length })}</Notice>
      )}
      {outdated === 0 && <p>{t("settings.secrets.current", { count: current })}</p>}
      {outdated > 0 && formKey === null && <p>{t("settings.secrets.outdated", { count: outdated })}</p>}
      {outdated > 0 && formKey !== null && (
        <ActionForm
          action="re-encrypt-secrets"
          target={consoleHref("/admin/settings")}
          name={t("settings.secrets.action")}
          now={t("settings.secrets.outdated", { count: outdated })}
          after={t("settings.secrets.after")}
          formKey={formKey}
          seen=""
          refused={refused}
          proof={proof}
        />
      )}
    </section>
  )
}

function ShopFileValues({
  shopFile: { values, problem },
  isOwner,
}: Pick<SettingsProps, "shopFile" | "isOwner">) {
  const changed = values.filter(({ next }) => next !== undefined).map(({ place }) => place)
  return (
    <section className="card">
      <h2>{t("settings.shopFile")}</h2>
      {problem !== null && <Notice kind="bad">{t("settings.shopFileInvalid", { problem })}</Notice>}
      {changed.length > 0 && (
        <Notice kind="warning">{t("settings.shopFileStale", { places: changed.join(", ") })}</Notice>
      )}
      <details>
        <summary>{t("settings.shopFileValues", { count: values.length })}</summary>
        <ListTable
          label={t("settings.shopFile")}
          heads={[{ text: "settings.place" }, { text: "settings.source" }, { text: "settings.value" }]}
        >
          {values.map((it) => (
            <tr key={it.place}>
              <td className="breaks">
                {it.place} <small>{placeText(it.place)}</small>
              </td>
              <td>{t(`settings.shopFileSources.${it.source}`)}</td>
              <td className="breaks">{isOwner ? shopValueText(it) : t("settings.covered")}</td>
            </tr>
          ))}
        </ListTable>
      </details>
    </section>
  )
}

/** Places of the shop file by their beginnings, the longer ones first, and what each is about. */
const places = [
  ["brand.name", "name"],
  ["brand.title", "title"],
  ["brand.guarantee", "guarantee"],
  ["brand.logo", "logo"],
  ["brand.colours", "colours"],
  ["brand", "brand"],
  ["mail.seller", "mailSeller"],
  ["mail", "messages"],
  ["legal.seller", "seller"],
  ["legal.terms", "terms"],
  ["legal.privacy", "privacy"],
  ["legal.refunds", "refunds"],
  ["legal.tax", "taxSentence"],
  ["legal.law", "law"],
  ["legal", "seller"],
  ["tax", "tax"],
  ["documents.seller", "documentSeller"],
  ["documents", "numbers"],
  ["methods", "methods"],
  ["setup", "setup"],
  ["links.guides", "guides"],
  ["links.speedTest", "speedTest"],
  ["links.support", "support"],
  ["links", "links"],
  ["apps", "apps"],
] as const

/** What a place of the shop file is about; empty for one that the shop does not know. */
function placeText(place: string): string {
  const [, about] = places.find(([begin]) => place === begin || place.startsWith(`${begin}.`)) ?? []
  return about === undefined ? "" : t(`settings.places.${about}`)
}

function shopValueText({ value, next }: ShownShopFile["values"][number]): string {
  const text = value ?? t("settings.nothing")
  return next === undefined ? text : t("settings.changesTo", { text, next: next ?? t("settings.nothing") })
}

function Given({ settings }: Pick<SettingsProps, "settings">) {
  return (
    <ListTable
      label={t("settings.given")}
      heads={[{ text: "settings.name" }, { text: "settings.source" }, { text: "settings.value" }]}
    >
      {settings.map(({ name, about, value, isSecret, source }) => (
        <tr key={name}>
          <td className="breaks">
            {name} <small>{about}</small>
          </td>
          <td>{t(`settings.sources.${source}`)}</td>
          <td className="breaks">{value ?? t(isSecret ? "settings.secret" : "settings.covered")}</td>
        </tr>
      ))}
    </ListTable>
  )
}
