import type { AuditEntry } from "~/billing/audit-log"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "./console-frame.server"

type AuditProps = {
  entries: readonly AuditEntry[]
  /** Position before which older entries are; null on the last page. */
  older: number | null
  timeZone: string
}

/** The audit log, newest first. */
export function AuditScreen({ entries, older, timeZone }: AuditProps) {
  return (
    <>
      <div className="title">
        <h1>{t("audit.title")}</h1>
        <p>{t("audit.lead")}</p>
      </div>
      <section className="card">
        {entries.length === 0 ? <p>{t("audit.empty")}</p> : <Entries entries={entries} timeZone={timeZone} />}
        {older !== null && (
          <a className="button" href={consoleHref(`/admin/audit?before=${older}`)}>
            {t("audit.older")}
          </a>
        )}
      </section>
    </>
  )
}

function Entries({ entries, timeZone }: Pick<AuditProps, "entries" | "timeZone">) {
  return (
    // A region that scrolls has to be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="scroll" aria-label={t("audit.title")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("audit.when")}</th>
            <th scope="col">{t("audit.who")}</th>
            <th scope="col">{t("audit.what")}</th>
            <th scope="col">{t("audit.about")}</th>
            <th scope="col">{t("audit.outcome")}</th>
            <th scope="col">{t("audit.why")}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ position, at, operator, action, subject, outcome, reason }) => (
            <tr key={position}>
              <td>{localText(at, timeZone)}</td>
              <td>{operator}</td>
              <td>{action}</td>
              <td>{subject}</td>
              <td>{t(`audit.outcomes.${outcome}`)}</td>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
