import type { Version } from "~/billing/versions"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "./console-frame.server"
import { type ListLinks, ListPages, ListTable } from "./list-parts.server"

/** What has versions, by the name of its page: `/admin/tax` and, in the texts, `tax`. */
export type Versioned = "catalogue" | "tax" | "brand"

type ListProps = { subject: Versioned; versions: readonly Version[]; links: ListLinks; timeZone: string }

/** The versions, the last one first. */
export function VersionList({ subject, versions, links, timeZone }: ListProps) {
  return (
    <section className="card">
      <h2>{t("versions.title")}</h2>
      {versions.length === 0 ? (
        <p>{t(`${subject}.noVersions`)}</p>
      ) : (
        <ListTable
          label={t("versions.title")}
          heads={[
            { text: "versions.version" },
            { text: "versions.at" },
            { text: "versions.author" },
            { text: "versions.how" },
            { text: "versions.reason" },
          ]}
        >
          {versions.map((version) => (
            <tr key={version.number}>
              <td>
                <a href={consoleHref(`/admin/${subject}/versions/${version.number}`)}>
                  {t("versions.one", { number: version.number })}
                </a>
              </td>
              <td>{localText(version.at, timeZone)}</td>
              <td className="breaks">{version.author ?? "–"}</td>
              <td>{howText(subject, version)}</td>
              <td className="breaks" data-label={t("versions.reason")}>
                {version.reason ?? "–"}
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      <ListPages links={links} />
    </section>
  )
}

/** How a version came about. */
export function howText(subject: Versioned, { how, takenFrom }: Pick<Version, "how" | "takenFrom">): string {
  if (takenFrom !== null) return t("versions.takenFrom", { number: takenFrom })
  return how === "found" ? t(`${subject}.found`) : t(`versions.hows.${how}`)
}

/** What is different, a line each. */
export function Changes({ changes }: { changes: readonly string[] }) {
  if (changes.length === 0) return <p>{t("versions.noChange")}</p>
  return (
    <ul>
      {changes.map((it) => (
        <li key={it} className="breaks">
          {it}
        </li>
      ))}
    </ul>
  )
}
