import type { Instant } from "~/domain/calendar"
import { dateTagOf, type Locale } from "~/domain/locales"
import { type Money, money } from "~/domain/money/money"
import { isPossible, type OutcomeName } from "./outcomes"
import { framed } from "./page-layout.server"
import { dueAt, type SandboxPayment, statusAt } from "./payment"
import { possibleRefunds, type RefundName } from "./refund"
import type { Translation } from "./translations/en-en"
import { fillTemplate, translationByLocale } from "./translations/translations"

type PageView = { payment: SandboxPayment; locale: Locale; now: Instant; mistaken: boolean }

/** Renders the hosted payment page. `mistaken`: the form was submitted with an unknown outcome. */
export function payPage({ payment, locale, now, mistaken }: PageView): string {
  const translation = translationByLocale[locale.iso]
  const { details } = payment
  const due = dueAt(payment, now)
  const isOpen = due > 0
  // While the payment is open, the page shows the amount due, which may be the rest of a partial payment.
  const amount = amountIn(locale, isOpen ? money(due, details.amount.currency) : details.amount)
  const shop = new URL(details.returnUrl).host
  const status = statusAt(payment, now)
  return framed(
    { locale, provider: providerOf(payment.protocol) },
    fillTemplate(translation.pay, { amount }),
    <>
      {mistaken && (
        <p className="said warn" role="alert">
          {translation.chooseOne}
        </p>
      )}
      <section className="card">
        {status !== "pending" && <Verdict status={status} translation={translation} />}
        <p className="over">{translation.amount}</p>
        <h1>{amount}</h1>
        <dl>
          <dt>{translation.payee}</dt>
          <dd>{shop}</dd>
          <dt>{translation.reference}</dt>
          <dd>{details.reference}</dd>
          {isOpen && (
            <>
              <dt>{translation.payBy}</dt>
              <dd>{momentIn(locale, details.expiresAt)}</dd>
            </>
          )}
        </dl>
        {isOpen && (
          <form method="post">
            <button type="submit" className="main" name="outcome" value={"paid" satisfies OutcomeName}>
              {fillTemplate(translation.pay, { amount })}
            </button>
          </form>
        )}
      </section>
      <OtherOutcomes translation={translation} payment={payment} now={now} />
      <Refunds translation={translation} payment={payment} />
      <a className="button" href={status === "pending" ? details.cancelUrl : details.returnUrl}>
        {fillTemplate(translation.back, { shop })}
      </a>
    </>,
  )
}

const providers: Readonly<Record<string, string>> = {
  coinbase: "Coinbase",
  cryptomus: "Cryptomus",
  btcpay: "BTCPay",
}

/** Provider name in the page header. */
function providerOf(protocol: string): string {
  return `${providers[protocol] ?? "Offshore Pay"} (sandbox)`
}

/** Why nothing can be paid at a URL. */
export type UnavailableReason = "unknown" | "isExpired" | "nowhere" | "front" | "broken"

export type Unavailable = {
  /** Null: the page names no particular provider. */
  readonly protocol: string | null
  readonly reason: UnavailableReason
  /** The page links to the mailbox. */
  readonly mailbox?: boolean
  /** The page links to the receiver of events. */
  readonly receiver?: boolean
}

/** Renders the page for a URL at which nothing can be paid. */
export function unavailablePage(
  locale: Locale,
  { protocol, reason, mailbox = false, receiver = false }: Unavailable,
): string {
  const translation = translationByLocale[locale.iso]
  return framed(
    { locale, provider: protocol === null ? "Sandbox" : providerOf(protocol) },
    translation[reason],
    <>
      <section className="card">
        <h1 className="words">{translation[reason]}</h1>
        <p className="note">{translation[`${reason}Note`]}</p>
      </section>
      {mailbox && (
        <a className="button" href="/mailbox">
          {translation.mailboxOpen}
        </a>
      )}
      {receiver && (
        <a className="button" href="/webhooks">
          {translation.receiverOpen}
        </a>
      )}
    </>,
  )
}

type Decided = ReturnType<typeof statusAt>

function Verdict({ status, translation }: { status: Exclude<Decided, "pending">; translation: Translation }) {
  const text = {
    partial: translation.isPartial,
    processing: translation.isProcessing,
    paid: translation.isPaid,
    late: translation.isPaid,
    marked: translation.isPaid,
    failed: translation.isFailed,
    expired: translation.isExpired,
    closed: translation.isClosed,
  }[status]
  return (
    <div className={text === translation.isPaid ? "said good" : "said warn"} role="status">
      <strong>{text}</strong>
      {status === "expired" && <p>{translation.isExpiredNote}</p>}
    </div>
  )
}

type Choices = { translation: Translation; payment: SandboxPayment }

function OtherOutcomes({ translation, payment, now }: Choices & { now: Instant }) {
  const all: [OutcomeName, string, string][] = [
    ["paid", translation.confirmed, translation.confirmedNote],
    ["less", translation.less, translation.lessNote],
    ["more", translation.more, translation.moreNote],
    ["late", translation.late, translation.lateNote],
    ["expired", translation.expire, translation.expireNote],
    ["processing", translation.processing, translation.processingNote],
    ["failed", translation.failed, translation.failedNote],
    ["abandoned", translation.abandoned, translation.abandonedNote],
    ["paid-twice", translation.twice, translation.twiceNote],
    ["paid-unreported", translation.unreported, translation.unreportedNote],
  ]
  // An open payment has a button of its own for being paid.
  const isOpen = dueAt(payment, now) > 0
  const offered = all.filter(
    ([outcome]) => isPossible(outcome, payment, now) && !(isOpen && outcome === "paid"),
  )
  if (offered.length === 0) return null
  return (
    <form className="card" method="post">
      <h2>{translation.tryOut}</h2>
      <ul>
        {offered.map(([outcome, label, note]) => (
          <li key={outcome}>
            <button type="submit" name="outcome" value={outcome} aria-describedby={`about-${outcome}`}>
              {label}
            </button>
            <p className="note" id={`about-${outcome}`}>
              {note}
            </p>
          </li>
        ))}
      </ul>
    </form>
  )
}

/** Buttons that simulate a refund by the merchant. */
function Refunds({ translation, payment }: Choices) {
  const all: [RefundName, string][] = [
    ["refund-part", translation.refundPart],
    ["refund-all", translation.refundAll],
  ]
  const possible = possibleRefunds(payment)
  const offered = all.filter(([refund]) => possible.includes(refund))
  if (offered.length === 0) return null
  return (
    <form className="card" method="post">
      <h2>{translation.refunds}</h2>
      <ul>
        {offered.map(([refund, label]) => (
          <li key={refund}>
            <button type="submit" name="outcome" value={refund}>
              {label}
            </button>
          </li>
        ))}
      </ul>
    </form>
  )
}

function amountIn({ iso }: Locale, { minor, currency }: Money): string {
  return new Intl.NumberFormat(iso, { style: "currency", currency }).format(minor / 100)
}

function momentIn(locale: Locale, instant: Instant): string {
  const day = { day: "numeric", month: "short", year: "numeric" } as const
  const time = { hour: "numeric", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" } as const
  return new Intl.DateTimeFormat(dateTagOf(locale), { ...day, ...time }).format(instant)
}
