import { useTranslation } from "~/i18n/use-translation"
import { SupportLink, useSupport } from "../layout/support-link"

/** `action`: URL of the form; `cancelHref`: URL of the page without `?forget`; `hasMail`: the shop sends messages. */
type Forget = { action: string; cancelHref: string; hasMail: boolean }

/** Asks for confirmation, and says how to see the service here again: without mail, support may be needed. */
export function ForgetScreen({ action, cancelHref, hasMail }: Forget) {
  const { t } = useTranslation()
  const withoutMail = useSupport() === null ? "forget.noteAlone" : "forget.note"
  return (
    <section className="card narrow refused">
      <h1>{t("forget.heading")}</h1>
      <p className="lead">{t("forget.lead")}</p>
      <p>{t(hasMail ? "forget.noteByMail" : withoutMail)}</p>
      {!hasMail && <SupportLink />}
      <form method="post" action={action}>
        <button className="main">{t("forget.confirm")}</button>
      </form>
      <a className="quiet" href={cancelHref}>
        {t("forget.keep")}
      </a>
    </section>
  )
}
