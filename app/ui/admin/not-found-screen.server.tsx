import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "./console-frame.server"

/** Of an address that names nothing: a mistyped number, or what was removed. */
export function ConsoleNotFoundScreen() {
  return (
    <>
      <div className="title">
        <h1>{t("frame.notFound")}</h1>
      </div>
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
