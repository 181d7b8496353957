import { type SubmitEvent, useEffect, useRef, useState } from "react"
import { Form, Link } from "react-router"
import type { Quote } from "~/domain/catalogue/pricing"
import { localPath } from "~/domain/locales"
import { type Money, minus } from "~/domain/money/money"
import type { BuyingView } from "~/domain/orders/buying-view"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { AddressText } from "../layout/address-text"
import { OrderContents } from "../waiting/order-contents"

/** Where the page leads, with script and without, and its button, as texts in its language. */
export type ReviewWords = Readonly<Record<"going" | "lead" | "button", string>>

type Review = {
  quote: Quote
  buying: BuyingView
  email: string
  /** The address that this one is likely meant to be, if any. */
  likelyEmail?: string | null
  words: ReviewWords
  /** The part that account credit pays. */
  accountCredit: Money
  draft: string
  error:
    | "another"
    | "other-draft"
    | "price-changed"
    | "credits-changed"
    | "code-used"
    | "too-many"
    | "email-rejected"
    | "order-refused"
    /** One that the server has written. */
    | { readonly text: string }
    | null
  orderId: string | null
  /** Of a reseller plan that is not ordered yet. */
  credits?: number | undefined
  /** Words that the law of the country asks for on the button. */
  orderButton?: string | null
  /** Path of the checkout, without locale prefix. */
  checkoutPath: string
}

/**
 * The review step before the gateway. Without script it is a page with one button; with script it submits itself, unless
 * the buyer must read something first. The style sheet knows at the first paint whether script runs: until it has
 * loaded, the page says where it leads, without a button that seems to wait. The button comes back after five seconds,
 * for a script that never arrives, and after half a minute once the form is sent, for a press on Stop.
 */
export function ReviewScreen({
  quote,
  buying,
  accountCredit,
  email,
  likelyEmail,
  words,
  draft,
  error,
  orderId,
  credits,
  checkoutPath,
  orderButton,
}: Review) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { form, isSent, onSubmit } = useSentOnce(error === null)
  const going = isSent ? "narrow sends-itself sent" : "narrow sends-itself"

  return (
    <div className={error === null ? going : "narrow"}>
      <h1>{t("review.heading")}</h1>
      <p className="lead" role="status">
        {error === null && <span className="if-script">{words.going}</span>}
        <span className={error === null ? "if-no-script" : undefined}>{words.lead}</span>
      </p>
      {error && <Problem error={error} order={orderId} credits={credits} />}
      <OrderContents
        buying={buying}
        lines={quote.lines}
        total={quote.total}
        paid={[{ label: buying.texts.credit, amount: accountCredit }]}
        due={{ label: buying.texts.payNow, amount: minus(quote.total, accountCredit) }}
        orderId={orderId}
      >
        <Addressee
          email={email}
          likelyEmail={likelyEmail}
          changePath={orderId === null ? checkoutPath : null}
        />
        <Form method="post" reloadDocument ref={form} onSubmit={onSubmit}>
          <Agreed draft={draft} total={quote.total.minor} credit={accountCredit.minor} credits={credits} />
          <GoOn words={orderButton ?? null} usual={words.button} />
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
      </OrderContents>
    </div>
  )
}

type AddresseeProps = Pick<Review, "email" | "likelyEmail"> & {
  /** Path of the checkout; null: the order is placed, and changing it is a form. */
  changePath: string | null
}

/** The e-mail of the order, with the way to correct it. */
function Addressee({ email, likelyEmail, changePath }: AddresseeProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <>
      <p className="note">
        <AddressText text={t("review.email", { email })} />{" "}
        {changePath !== null && <Link to={localPath(locale, changePath)}>{t("orderEmail.change")}</Link>}
      </p>
      {likelyEmail && (
        <Form method="post">
          <button className="quiet" name="intent" value="email">
            {t("checkout.email.likely", { email: likelyEmail })}
          </button>
        </Form>
      )}
    </>
  )
}

type Problem = Pick<Review, "credits"> & {
  error: NonNullable<Review["error"]>
  order: string | null
}

/** Why the order was not placed as it was sent, or not paid. */
function Problem({ error, order, credits = 0 }: Problem) {
  const { t } = useTranslation()
  return (
    <div className="problems" role="alert">
      <p>{typeof error === "string" ? t(`review.${error}`, { order: order ?? "", credits }) : error.text}</p>
    </div>
  )
}

type Agreed = Pick<Review, "draft" | "credits"> & { total: number; credit: number }

/** What the buyer agrees to by going on. */
function Agreed({ draft, total, credit, credits }: Agreed) {
  return (
    <>
      <input type="hidden" name="draft" value={draft} />
      <input type="hidden" name="total" value={total} />
      {credit > 0 && <input type="hidden" name="credit" value={credit} />}
      {credits !== undefined && <input type="hidden" name="credits" value={credits} />}
    </>
  )
}

function GoOn({ words, usual }: { words: string | null; usual: string }) {
  return <button className="main">{words ?? usual}</button>
}

/** Milliseconds in which a second press is ignored: it would cancel the pending response. */
const ONE_PRESS = 3_000

/** Submits the form once by script; a press on its button afterwards counts as the second. */
function useSentOnce(wanted: boolean) {
  const form = useRef<HTMLFormElement>(null)
  const sent = useRef(false)
  const sentAt = useRef(Number.NEGATIVE_INFINITY)
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    if (!wanted || sent.current) return
    sent.current = true
    form.current?.requestSubmit()
    setSent(true)
  }, [wanted])

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    if (event.timeStamp - sentAt.current < ONE_PRESS) return event.preventDefault()
    sentAt.current = event.timeStamp
  }

  return { form, isSent, onSubmit }
}
