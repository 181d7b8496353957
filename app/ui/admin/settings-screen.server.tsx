import type { ShownSetting } from "~/domain/shown-setting"
import { consoleText as t } from "~/i18n/console-texts.server"
import { Notice } from "./form-parts.server"
import { ListTable } from "./list-parts.server"

type SettingsProps = {
  /** Without values for who is no owner. */
  settings: readonly ShownSetting[]
  isOwner: boolean
}

/** What the shop runs with, and what a restart would change. */
export function SettingsScreen({ settings, isOwner }: SettingsProps) {
  const stale = settings.filter(({ isStale }) => isStale).map(({ name }) => name)
  const given = settings.filter(({ isSet }) => isSet)
  return (
    <>
      <div className="title">
        <h1>{t("settings.title")}</h1>
        <p>{t("settings.lead")}</p>
      </div>
      {!isOwner && <Notice kind="warning">{t("settings.owners")}</Notice>}
      {stale.length > 0 ? (
        <Notice kind="warning">{t("settings.stale", { names: stale.join(", ") })}</Notice>
      ) : (
        <p>{t("settings.current")}</p>
      )}
      <section className="card">
        <h2>{t("settings.given")}</h2>
        {given.length === 0 ? <p>{t("settings.noneSet")}</p> : <Given settings={given} />}
      </section>
      <details className="card">
        <summary>{t("settings.others")}</summary>
        <ListTable
          label={t("settings.others")}
          isCompact
          heads={[{ text: "settings.name" }, { text: "settings.usual" }]}
        >
          {settings
            .filter(({ isSet }) => !isSet)
            .map(({ name, usual }) => (
              <tr key={name}>
                <td className="breaks">{name}</td>
                <td className="breaks">{usual ?? t("settings.nothing")}</td>
              </tr>
            ))}
        </ListTable>
      </details>
    </>
  )
}

function Given({ settings }: Pick<SettingsProps, "settings">) {
  return (
    <ListTable
      label={t("settings.given")}
      isCompact
      heads={[{ text: "settings.name" }, { text: "settings.source" }, { text: "settings.value" }]}
    >
      {settings.map(({ name, value, isSecret, source }) => (
        <tr key={name}>
          <td className="breaks">{name}</td>
          <td>{t(`settings.sources.${source}`)}</td>
          <td className="breaks">{value ?? t(isSecret ? "settings.secret" : "settings.covered")}</td>
        </tr>
      ))}
    </ListTable>
  )
}
