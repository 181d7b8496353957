import { useTranslation } from "~/i18n/use-translation"

/** `action`: where the form is sent; `keepHref`: the page that was looked at, as it is. */
type Forget = { action: string; keepHref: string }

/** Asks once more: who has no password needs somebody's help to see his service here again. */
export function ForgetScreen({ action, keepHref }: Forget) {
  const { t } = useTranslation()
  return (
    <section className="card narrow refused">
      <h1>{t("forget.heading")}</h1>
      <p className="lead">{t("forget.lead")}</p>
      <p>{t("forget.note")}</p>
      <form method="post" action={action}>
        <button className="main">{t("forget.confirm")}</button>
      </form>
      <a className="quiet" href={keepHref}>
        {t("forget.keep")}
      </a>
    </section>
  )
}
