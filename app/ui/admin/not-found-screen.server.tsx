import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "./console-frame.server"
import { Notice } from "./form-parts.server"

/** Of an address that names nothing: a mistyped number, or what was removed. `typed`: what a form had that was sent to it. */
export function ConsoleNotFoundScreen({ typed }: { typed: readonly string[] }) {
  return (
    <>
      <div className="title">
        <h1>{t("frame.notFound")}</h1>
      </div>
      {typed.length > 0 && <Typed values={typed} />}
      <section className="card">
        <p>{t("frame.notFoundLead")}</p>
        <p>
          <a className="button" href={consoleHref("/admin")}>
            {t("frame.notFoundAction")}
          </a>
        </p>
      </section>
    </>
  )
}

function Typed({ values }: { values: readonly string[] }) {
  return (
    <>
      <Notice kind="bad">{t("frame.notDone")}</Notice>
      <section className="card">
        <ul>
          {values.map((it) => (
            <li key={it} className="breaks">
              {it}
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
