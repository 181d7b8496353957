import { isBackupDue } from "~/domain/backup"
import type { Instant } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"
import { Notice } from "../form-parts.server"
import { ListTable } from "../list-parts.server"

type Made = { readonly at: Instant; readonly place: string | null; readonly size: number | null }
type Tried = {
  readonly at: Instant
  readonly kind: "restored" | "tried"
  readonly place: string | null
  readonly madeAt: string | null
  readonly rows: number | null
  readonly error: string | null
}

type BackupsProps = {
  /** Newest first. */
  made: readonly Made[]
  tried: readonly Tried[]
  /** A backup was restored, and nobody has said which numbers of documents were given after it was made. */
  mayRepeatNumbers: boolean
  now: Instant
  timeZone: string
}

/** Backups that were made and tried. The command line makes them: the console has no access to the server's disk. */
export function BackupsScreen({ made, tried, mayRepeatNumbers, now, timeZone }: BackupsProps) {
  const [last] = made
  return (
    <>
      <div className="title">
        <h1>{t("backups.title")}</h1>
        <p>{t("backups.lead")}</p>
      </div>
      {mayRepeatNumbers && (
        <Notice kind="warning">
          {t("backups.numbers")}{" "}
          <a href={consoleHref("/admin/accounting#numbers")}>{t("backups.toNumbers")}</a>
        </Notice>
      )}
      {isBackupDue(last?.at ?? null, now) && (
        <Notice kind="warning">{t(last === undefined ? "backups.none" : "backups.old")}</Notice>
      )}
      {!tried.some(({ error }) => error === null) && <Notice kind="warning">{t("backups.untried")}</Notice>}
      <section className="card">
        <h2>{t("backups.made")}</h2>
        {made.length === 0 ? <p>{t("backups.noneListed")}</p> : <MadeTable made={made} timeZone={timeZone} />}
      </section>
      <section className="card">
        <h2>{t("backups.tried")}</h2>
        {tried.length === 0 ? (
          <p>{t("backups.noneTried")}</p>
        ) : (
          <TriedTable tried={tried} timeZone={timeZone} />
        )}
      </section>
    </>
  )
}

function MadeTable({ made, timeZone }: Pick<BackupsProps, "made" | "timeZone">) {
  return (
    <ListTable
      label={t("backups.made")}
      heads={[{ text: "backups.when" }, { text: "backups.size", isNumber: true }, { text: "backups.place" }]}
    >
      {made.map(({ at, place, size }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two may be of one time
        <tr key={index}>
          <td>{localText(at, timeZone)}</td>
          <td className="number" data-label={t("backups.size")}>
            {size === null ? t("backups.unknown") : sizeText(size)}
          </td>
          <td className="breaks">{place ?? t("backups.unknown")}</td>
        </tr>
      ))}
    </ListTable>
  )
}

const KB = 1_000

function sizeText(bytes: number): string {
  if (bytes < KB) return `${bytes} B`
  return bytes < KB * KB ? `${(bytes / KB).toFixed(1)} kB` : `${(bytes / KB / KB).toFixed(1)} MB`
}

function TriedTable({ tried, timeZone }: Pick<BackupsProps, "tried" | "timeZone">) {
  return (
    <ListTable
      label={t("backups.tried")}
      heads={[
        { text: "backups.when" },
        { text: "backups.how" },
        { text: "backups.result" },
        { text: "backups.place" },
      ]}
    >
      {tried.map(({ at, kind, place, madeAt, rows, error }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two may be of one time
        <tr key={index}>
          <td>{localText(at, timeZone)}</td>
          <td>{t(`backups.kinds.${kind}`)}</td>
          <td>
            {error ??
              (madeAt === null || rows === null
                ? t("backups.good")
                : t("backups.goodRows", { count: rows, madeAt: localText(Date.parse(madeAt), timeZone) }))}
          </td>
          <td className="breaks">{place ?? t("backups.unknown")}</td>
        </tr>
      ))}
    </ListTable>
  )
}
