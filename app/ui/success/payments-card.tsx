import { Link } from "react-router"
import type { QuoteLine } from "~/domain/catalogue/pricing"
import { type Money, times } from "~/domain/money/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { QuoteLines, useLineName } from "../checkout/quote-lines"
import { useOpenedFocus } from "../form/opened-focus"
import { discountText, moneyText } from "../layout/format"

type Payment = {
  readonly id: string
  readonly line: QuoteLine
  readonly total: Money
  /** The day on which it was paid, or each of several with its part. */
  readonly day: string
  /** What has become of it since, as a text: a withdrawal, what became account credit or has been paid back. Empty: nothing. */
  readonly notes: string
}

type Receipt = {
  /** The visitor asked for it; otherwise it is on paper only. */
  readonly isAsked: boolean
  readonly orderId: string
  /** Its invoice in the external billing system, where the buyer finds it; missing: none, or it is not known. */
  readonly invoice?: { readonly label: string; readonly number: string } | undefined
  readonly day: string
  readonly lines: readonly QuoteLine[]
  readonly total: Money
  /** The part that account credit paid. */
  readonly credit: Money | null
  /** What became account credit in place of what was bought; null: nothing. */
  readonly credited: Money | null
  /** What has been paid back; null: nothing. */
  readonly refund: Money | null
  readonly seller: string
  readonly tax: string | null
  /** Its invoice and credit notes, as files. */
  readonly documents: readonly { readonly text: string; readonly href: string }[]
  /** What the buyer has declared, with its time; missing without any. */
  readonly declared?: readonly string[] | undefined
}

/** Payments of a service or of an account, newest first, and one receipt. */
export type PaymentsView = {
  /** Query of the page that lists them. */
  readonly query: string
  readonly rows: readonly Payment[]
  readonly receipt: Receipt
  /** The page to withdraw from the order of the receipt; null if there is none, or its days are over. */
  readonly withdrawal: string | null
  readonly texts: Readonly<
    Record<
      "heading" | "receipt" | "earlier" | "order" | "date" | "seller" | "credit" | "credited" | "refunded",
      string
    >
  >
}

type Shown = { payments: PaymentsView }

/** So many payments are shown without a press. */
const AT_ONCE = 3

/** Payments with their receipts, of which one is printed with the login details. */
export function PaymentsCard({ payments }: Shown) {
  const { t } = useTranslation()
  const { rows, receipt, texts, withdrawal } = payments
  return (
    <section className="card payments" id="receipt">
      <h2>{texts.heading}</h2>
      <PaymentRows payments={payments} rows={rows.slice(0, AT_ONCE)} />
      {rows.length > AT_ONCE && (
        <details className="fold">
          <summary>{texts.earlier}</summary>
          <PaymentRows payments={payments} rows={rows.slice(AT_ONCE)} />
        </details>
      )}
      <div className={receipt.isAsked ? "receipt" : "receipt printed"}>
        <ReceiptText payments={payments} />
      </div>
      {withdrawal !== null && (
        <a className="quiet" href={withdrawal}>
          {t("frame.withdrawal")}
        </a>
      )}
    </section>
  )
}

function PaymentRows({ payments, rows }: Shown & { rows: readonly Payment[] }) {
  const locale = useLocale()
  const nameOf = useLineName()
  const { query, texts } = payments
  return (
    <ul>
      {rows.map(({ id, line, total, day, notes }) => (
        <li key={id}>
          <span>
            {nameOf(line)} <small>{day}</small> {notes && <small>{notes}</small>}
          </span>
          <span>{moneyText(total, locale)}</span>
          <Link to={`?${query}&receipt=${id}#receipt`}>
            {texts.receipt}
            <span className="hidden"> {id}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function ReceiptText({ payments: { receipt, texts } }: Shown) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { isAsked, orderId, invoice, day, lines, total, seller, tax, documents, declared } = receipt
  const { credit, credited, refund } = receipt
  return (
    <>
      <ReceiptHeading key={`${isAsked} ${orderId}`} text={texts.receipt} />
      <dl>
        <dt>{texts.seller}</dt>
        <dd>{seller}</dd>
        <dt>{texts.order}</dt>
        <dd>{orderId}</dd>
        {invoice && (
          <>
            <dt>{invoice.label}</dt>
            <dd>{invoice.number}</dd>
          </>
        )}
        <dt>{texts.date}</dt>
        <dd>{day}</dd>
      </dl>
      <QuoteLines lines={lines} />
      <p className="total">
        <span>{t("checkout.total")}</span> <b>{moneyText(total, locale)}</b>
      </p>
      {credit && <TakenOff label={texts.credit} amount={credit} />}
      {credited && <TakenOff label={texts.credited} amount={credited} />}
      {refund && <TakenOff label={texts.refunded} amount={refund} />}
      {tax && <p className="note">{tax}</p>}
      {documents.map(({ text, href }) => (
        <a key={href} className="quiet" href={href}>
          {text}
        </a>
      ))}
      {declared?.map((text) => (
        <p key={text} className="note">
          {text}
        </p>
      ))}
    </>
  )
}

/** The receipt that was asked for takes the focus from its link; one on paper only is hidden, and cannot. */
function ReceiptHeading({ text }: { text: string }) {
  return (
    <h3 tabIndex={-1} ref={useOpenedFocus()}>
      {text}
    </h3>
  )
}

function TakenOff({ label, amount }: { label: string; amount: Money }) {
  return (
    <p className="total">
      <span>{label}</span> <span>{discountText(times(amount, -1), useLocale())}</span>
    </p>
  )
}
