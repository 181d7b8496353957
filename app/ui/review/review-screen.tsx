import { type SubmitEvent, useEffect, useRef } from "react"
import { Form, Link } from "react-router"
import { localPath } from "~/domain/locales"
import type { Money } from "~/domain/money"
import type { Quote } from "~/domain/pricing"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { QuoteLines } from "../checkout/quote-lines"
import { moneyText } from "../layout/format"

type Review = {
  quote: Quote
  email: string
  gatewayHost: string
  /** The part that account credit pays. */
  accountCredit: Money
  draft: string
  error:
    | "another"
    | "other-draft"
    | "price-changed"
    | "payment-not-opened"
    | "too-many"
    | "email-rejected"
    | null
  orderId: string | null
  /** Path of the checkout, without locale prefix. */
  checkoutPath: string
}

/**
 * The review step before the gateway. Without script it is a page with one button; with script it submits itself, unless
 * the buyer must read something first. The style sheet knows at the first paint whether script runs: until it has
 * loaded, the page says where it leads, without a button that seems to wait. The button comes back after five seconds,
 * for a script that never arrives.
 */
export function ReviewScreen({
  quote,
  accountCredit,
  email,
  gatewayHost: host,
  draft,
  error,
  orderId,
  checkoutPath,
}: Review) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { form, onSubmit } = useSentOnce(error === null)

  return (
    <div className={error === null ? "narrow sends-itself" : "narrow"}>
      <h1>{t("review.heading")}</h1>
      <p className="lead" role="status">
        {error === null && <span className="if-script">{t("review.going", { host })}</span>}
        <span className={error === null ? "if-no-script" : undefined}>{t("review.lead", { host })}</span>
      </p>
      {error && (
        <div className="problems" role="alert">
          <p>{t(`review.${error}`, { order: orderId ?? "", host })}</p>
        </div>
      )}
      <section className="card">
        <QuoteLines lines={quote.lines} />
        <p className="total">
          <span>{t("checkout.total")}</span> <b>{moneyText(quote.total, locale)}</b>
        </p>
        {accountCredit.minor > 0 && (
          <p className="note">{t("review.credit", { credit: moneyText(accountCredit, locale) })}</p>
        )}
        <p className="note">{t("review.email", { email })}</p>
        <Form method="post" reloadDocument ref={form} onSubmit={onSubmit}>
          <input type="hidden" name="draft" value={draft} />
          <input type="hidden" name="total" value={quote.total.minor} />
          <button className="main">{t("review.continue", { host })}</button>
        </Form>
        {orderId === null ? (
          <Link className="quiet" to={localPath(locale, checkoutPath)}>
            {t("review.change")}
          </Link>
        ) : (
          <Form method="post">
            <button className="quiet" name="intent" value="edit">
              {t("review.change")}
            </button>
          </Form>
        )}
      </section>
    </div>
  )
}

/** Milliseconds in which a second press is ignored: it would cancel the pending response. */
const ONE_PRESS = 3_000

/** Submits the form once by script; a press on its button afterwards counts as the second. */
function useSentOnce(wanted: boolean) {
  const form = useRef<HTMLFormElement>(null)
  const sent = useRef(false)
  const sentAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (!wanted || sent.current) return
    sent.current = true
    form.current?.requestSubmit()
  }, [wanted])

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    if (event.timeStamp - sentAt.current < ONE_PRESS) return event.preventDefault()
    sentAt.current = event.timeStamp
  }

  return { form, onSubmit }
}
