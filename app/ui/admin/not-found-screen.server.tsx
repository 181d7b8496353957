import { consoleText as t } from "~/i18n/console-texts.server"

/** Of an address that names nothing: a mistyped number, or what was removed. */
export function ConsoleNotFoundScreen() {
  return (
    <>
      <div className="title">
        <h1>{t("frame.notFound")}</h1>
      </div>
      <section className="card">
        <p>{t("frame.notFoundLead")}</p>
      </section>
    </>
  )
}
