import type { BrandVersion } from "~/billing/brand-versions"
import { localText } from "~/domain/local-time"
import { type BrandPart, brandParts, sectionsOfPart } from "~/domain/shop/brand-fields"
import type { BrandContent } from "~/domain/shop/shop-sections"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "./action-form.server"
import { brandPartTitle } from "./brand-part-screen.server"
import { Changes } from "./catalogue-parts.server"
import { consoleHref } from "./console-frame.server"
import { type ActionNotice, Notice, type ProofProblem } from "./form-parts.server"
import { type ListLinks, ListPages, ListTable } from "./list-parts.server"

type BrandProps = {
  /** Number of the version that holds; 0: nothing is set. */
  version: number
  content: BrandContent
  /** What would change if nothing were set any more. */
  resetting: readonly string[]
  versions: readonly BrandVersion[]
  links: ListLinks
  mayReset: boolean
  formKey: string
  proof: { readonly isProven: boolean; readonly problem: ProofProblem | null }
  notice: ActionNotice | null
  refused: { readonly reason: string } | null
  timeZone: string
}

/** Where brand and texts come from, the forms that change them, and the versions. */
export function BrandScreen(props: BrandProps) {
  const { version, content, resetting, versions, links, mayReset, notice, timeZone, ...form } = props
  return (
    <>
      <div className="title">
        <h1>{t("brand.title")}</h1>
        <p>{t("brand.lead")}</p>
      </div>
      {notice && <Notice kind={notice.kind}>{notice.text}</Notice>}
      <section className="card">
        <h2>{t("brand.parts")}</h2>
        <ListTable
          label={t("brand.parts")}
          isCompact
          heads={[{ text: "brand.part" }, { text: "brand.source" }]}
        >
          {brandParts.map((part) => (
            <tr key={part}>
              <td className="breaks">
                <a href={consoleHref(`/admin/brand/${part}`)}>{brandPartTitle(part)}</a>
              </td>
              <td>{brandSourceText(isSet(part, content) ? version : null)}</td>
            </tr>
          ))}
        </ListTable>
      </section>
      <section className="card">
        <h2>{t("brand.versions")}</h2>
        {versions.length === 0 ? (
          <p>{t("brand.noVersions")}</p>
        ) : (
          <Versions versions={versions} timeZone={timeZone} />
        )}
        <ListPages links={links} />
      </section>
      {version > 0 && (
        <section className="card">
          <h2>{t("brand.resetting")}</h2>
          {resetting.length === 0 ? <p>{t("brand.isReset")}</p> : <Changes changes={resetting} />}
          {mayReset && resetting.length > 0 && (
            <ActionForm
              action="reset-brand"
              name={t("brand.reset")}
              now={t("brand.resetNow", { number: version })}
              after={t("brand.resetAfter")}
              seen={String(version)}
              {...form}
            />
          )}
        </section>
      )}
    </>
  )
}

function isSet(part: BrandPart, content: BrandContent): boolean {
  return sectionsOfPart(part).some((it) => content[it] !== undefined)
}

/** Where values are from: a version of the console, or the shop file. */
export function brandSourceText(version: number | null): string {
  return version === null ? t("brand.sources.file") : t("brand.sources.console", { number: version })
}

function Versions({ versions, timeZone }: Pick<BrandProps, "versions" | "timeZone">) {
  return (
    <ListTable
      label={t("brand.versions")}
      isCompact
      heads={[
        { text: "catalogue.version" },
        { text: "catalogue.at" },
        { text: "catalogue.author" },
        { text: "catalogue.how" },
        { text: "catalogue.reason" },
      ]}
    >
      {versions.map((version) => (
        <tr key={version.number}>
          <td>
            <a href={consoleHref(`/admin/brand/versions/${version.number}`)}>
              {t("brand.versionTitle", { number: version.number })}
            </a>
          </td>
          <td>{localText(version.at, timeZone)}</td>
          <td className="breaks">{version.author}</td>
          <td>{brandHowText(version)}</td>
          <td className="breaks" data-label={t("catalogue.reason")}>
            {version.reason ?? "–"}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

export function brandHowText({ how, takenFrom }: Pick<BrandVersion, "how" | "takenFrom">): string {
  if (takenFrom !== null) return t("catalogue.takenFrom", { number: takenFrom })
  return t(`brand.hows.${how}`)
}
