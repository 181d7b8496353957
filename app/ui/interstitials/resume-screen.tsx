import type { Money } from "~/domain/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"

type Resume = {
  reference: string
  total: Money
  /** The session has another open order. */
  replaces: boolean
  /** URL of the form. */
  action: string
  /** URL of the page without the resume token. */
  cancelHref: string
}

/** Asks for confirmation to resume an order of another browser, which warns a person who was sent the link. */
export function ResumeScreen({ reference, total, replaces, action, cancelHref }: Resume) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <section className="card narrow refused">
      <h1>{t("resume.heading")}</h1>
      <p className="lead">{t("resume.lead")}</p>
      <p className="reference">
        <small>{t("resume.order")}</small> <code>{reference}</code>{" "}
        <small>
          {t("checkout.total")} {moneyText(total, locale)}
        </small>
      </p>
      <p>{t("resume.warning")}</p>
      {replaces && <p>{t("resume.replaces")}</p>}
      <form method="post" action={action}>
        <button className="main">{t("resume.confirm")}</button>
      </form>
      <a className="quiet" href={cancelHref}>
        {t("resume.keep")}
      </a>
    </section>
  )
}
