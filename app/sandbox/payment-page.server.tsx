import type { Instant } from "~/domain/calendar"
import type { Locale } from "~/domain/locales"
import { type Money, money } from "~/domain/money"
import { isPossible, type OutcomeName } from "./outcomes"
import { framed } from "./page-layout.server"
import { dueAt, type SandboxPayment, statusAt } from "./payment"
import { isRefundable, type RefundName } from "./refund"
import type { Words } from "./translations/en-en"
import { fillTemplate, wordsIn } from "./translations/translations"

type PageView = { payment: SandboxPayment; locale: Locale; now: Instant; mistaken: boolean }

/** The hosted pay page as HTML. `mistaken`: the form came without an outcome that exists. */
export function payPage({ payment, locale, now, mistaken }: PageView): string {
  const words = wordsIn[locale.iso]
  const { facts } = payment
  const due = dueAt(payment, now)
  const isOpen = due > 0
  // What is left of a payment that was made in part, while it takes more.
  const amount = amountIn(locale, isOpen ? money(due, facts.amount.currency) : facts.amount)
  const shop = new URL(facts.returnUrl).host
  const status = statusAt(payment, now)
  return framed(
    { locale, provider: providerOf(payment.protocol) },
    fillTemplate(words.pay, { amount }),
    <>
      {mistaken && (
        <p className="said warn" role="alert">
          {words.chooseOne}
        </p>
      )}
      <section className="card">
        {status !== "pending" && <Verdict status={status} words={words} />}
        <p className="over">{words.amount}</p>
        <h1>{amount}</h1>
        <dl>
          <dt>{words.payee}</dt>
          <dd>{shop}</dd>
          <dt>{words.reference}</dt>
          <dd>{facts.reference}</dd>
          {isOpen && (
            <>
              <dt>{words.payBy}</dt>
              <dd>{momentIn(locale, facts.expiresAt)}</dd>
            </>
          )}
        </dl>
        {isOpen && (
          <form method="post">
            <button type="submit" className="main" name="outcome" value={"paid" satisfies OutcomeName}>
              {fillTemplate(words.pay, { amount })}
            </button>
          </form>
        )}
      </section>
      {isOpen && <OtherOutcomes words={words} payment={payment} />}
      {isRefundable(payment) && <Refunds words={words} />}
      <a className="button" href={facts.returnUrl}>
        {fillTemplate(words.back, { shop })}
      </a>
    </>,
  )
}

const providers: Readonly<Record<string, string>> = {
  ...{ coinbase: "Coinbase", cryptomus: "Cryptomus", btcpay: "BTCPay" },
}

/** Under which name the page appears. */
function providerOf(protocol: string): string {
  return `${providers[protocol] ?? "Offshore Pay"} (sandbox)`
}

/** Why there is nothing to pay at an address. */
export type UnavailableReason = "unknown" | "isExpired" | "nowhere" | "front" | "broken"

/** The page for an address at which nothing can be paid; without a protocol it is no provider's in particular. */
export function unavailablePage(locale: Locale, protocol: string | null, sorry: UnavailableReason): string {
  const words = wordsIn[locale.iso]
  return framed(
    { locale, provider: protocol === null ? "Sandbox" : providerOf(protocol) },
    words[sorry],
    <section className="card">
      <h1 className="words">{words[sorry]}</h1>
      <p className="note">{words[`${sorry}Note`]}</p>
    </section>,
  )
}

type Decided = ReturnType<typeof statusAt>

function Verdict({ status, words }: { status: Exclude<Decided, "pending">; words: Words }) {
  const said = {
    partial: words.isPartial,
    paid: words.isPaid,
    failed: words.isFailed,
    expired: words.isExpired,
    closed: words.isClosed,
  }[status]
  return (
    <div className={status === "paid" ? "said good" : "said warn"} role="status">
      <strong>{said}</strong>
      {status === "expired" && <p>{words.isExpiredNote}</p>}
    </div>
  )
}

function OtherOutcomes({ words, payment }: { words: Words; payment: SandboxPayment }) {
  const all: [OutcomeName, string, string][] = [
    ["less", words.less, words.lessNote],
    ["more", words.more, words.moreNote],
    ["failed", words.failed, words.failedNote],
    ["abandoned", words.abandoned, words.abandonedNote],
    ["paid-twice", words.twice, words.twiceNote],
    ["paid-unreported", words.unreported, words.unreportedNote],
  ]
  const offered = all.filter(([outcome]) => isPossible(outcome, payment))
  return (
    <form className="card" method="post">
      <h2>{words.tryOut}</h2>
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

/** As the shop's operator would at the provider. */
function Refunds({ words }: { words: Words }) {
  const all: [RefundName, string][] = [
    ["refund-part", words.refundPart],
    ["refund-all", words.refundAll],
  ]
  return (
    <form className="card" method="post">
      <h2>{words.refunds}</h2>
      <ul>
        {all.map(([refund, label]) => (
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

function momentIn({ iso }: Locale, instant: Instant): string {
  const day = { day: "numeric", month: "short", year: "numeric" } as const
  const time = { hour: "numeric", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" } as const
  return new Intl.DateTimeFormat(iso, { ...day, ...time }).format(instant)
}
