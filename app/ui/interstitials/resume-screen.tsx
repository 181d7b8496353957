import type { QuoteLine } from "~/domain/pricing"
import { useTranslation } from "~/i18n/use-translation"
import { QuoteLines } from "../checkout/quote-lines"

type Resume = {
  reference: string
  total: string
  /** What the order buys. */
  lines: readonly QuoteLine[]
  /** What is to be paid, until when it then runs, and what else the review says, one a line. */
  facts: string
  /** URL of the form. */
  action: string
  /** URL of the page without the resume token. */
  cancelHref: string
}

/** Asks for confirmation to resume an order of another browser, which warns a person who was sent the link. */
export function ResumeScreen({ reference, total, lines, facts, action, cancelHref }: Resume) {
  const { t } = useTranslation()
  return (
    <section className="card narrow refused">
      <h1>{t("resume.heading")}</h1>
      <p className="lead">{t("resume.lead")}</p>
      <p className="reference">
        <small>{t("resume.order")}</small> <code>{reference}</code>
      </p>
      <QuoteLines lines={lines} />
      <p className="total">
        <span>{t("checkout.total")}</span> <b>{total}</b>
      </p>
      <p>{facts}</p>
      <form method="post" action={action}>
        <button className="main">{t("resume.confirm")}</button>
      </form>
      <a className="quiet" href={cancelHref}>
        {t("resume.keep")}
      </a>
    </section>
  )
}
