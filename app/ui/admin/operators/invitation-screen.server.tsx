import type { Instant } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"

type InvitationProps = {
  email: string
  invitation: { readonly link: string; readonly until: Instant }
  timeZone: string
}

/** The one-time link of an operator, which is shown once. */
export function InvitationScreen({ email, invitation: { link, until }, timeZone }: InvitationProps) {
  return (
    <>
      <h1>{t("operators.linkTitle")}</h1>
      <section className="card">
        <p>{t("operators.linkLead", { email, until: localText(until, timeZone) })}</p>
        <p className="mono">{link}</p>
        <a className="button main" href={consoleHref("/admin/operators")}>
          {t("operators.linkSent")}
        </a>
      </section>
    </>
  )
}
