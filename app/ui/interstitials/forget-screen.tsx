import { useTranslation } from "~/i18n/use-translation"

/** `action`: URL of the form; `cancelHref`: URL of the page without `?forget`. */
type Forget = { action: string; cancelHref: string }

/** Asks for confirmation: a customer without a password needs support to see the service here again. */
export function ForgetScreen({ action, cancelHref }: Forget) {
  const { t } = useTranslation()
  return (
    <section className="card narrow refused">
      <h1>{t("forget.heading")}</h1>
      <p className="lead">{t("forget.lead")}</p>
      <p>{t("forget.note")}</p>
      <form method="post" action={action}>
        <button className="main">{t("forget.confirm")}</button>
      </form>
      <a className="quiet" href={cancelHref}>
        {t("forget.keep")}
      </a>
    </section>
  )
}
