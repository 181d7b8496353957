import type { QuoteLine } from "~/domain/catalogue/pricing"
import type { Returned } from "~/domain/orders/interstitial"
import { useTranslation } from "~/i18n/use-translation"
import { QuoteLines } from "../checkout/quote-lines"

type Resume = {
  /** The payment has been seen, or has arrived: opening the order is one choice, not the next step. */
  isPaid: boolean
  returned: Returned
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

/**
 * For a browser that comes back from the payment of another browser's order: says whether the payment has been seen, and asks for
 * confirmation to open the order here, which warns a person who was sent the link.
 */
export function ResumeScreen(shown: Resume) {
  const { isPaid, returned, reference, total, lines, facts, action, cancelHref } = shown
  const { t } = useTranslation()
  return (
    <section className="card narrow refused">
      <h1>{returned.heading}</h1>
      <p className="lead">{returned.lead}</p>
      <p className="reference">
        <small>{t("resume.order")}</small> <code>{reference}</code>
      </p>
      <QuoteLines lines={lines} />
      <p className="total">
        <span>{t("checkout.total")}</span> <b>{total}</b>
      </p>
      <p>{facts}</p>
      <form method="post" action={action}>
        <button className={isPaid ? "large" : "main"}>{t("resume.confirm")}</button>
      </form>
      {!isPaid && (
        <a className="quiet" href={cancelHref}>
          {t("resume.keep")}
        </a>
      )}
    </section>
  )
}
