import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"

/** New recovery codes, which are shown once. */
export function RecoveryCodesScreen({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <h1>{t("codes.title")}</h1>
      <section className="card">
        <p>{t("codes.lead")}</p>
        <ul className="codes">
          {codes.map((code) => (
            <li key={code} className="mono">
              {code}
            </li>
          ))}
        </ul>
        <a className="button main" href={consoleHref("/admin")}>
          {t("codes.saved")}
        </a>
      </section>
    </>
  )
}
