import { Fragment, type ReactNode } from "react"
import type { Instant } from "~/domain/calendar"
import { dateTagOf, type Locale } from "~/domain/locales"
import { framed } from "../page-layout.server"
import type { Translation } from "../translations/en-en"
import { translationByLocale } from "../translations/translations"
import { type DeliveryOutcome, deliveryOutcomes } from "./delivery-outcomes"
import type { ReceivedMessage } from "./messages.server"

/** The format's name in every language. */
const HTML = "HTML"
const PROVIDER = "Mailbox (sandbox)"

type MailboxView = {
  locale: Locale
  messages: readonly ReceivedMessage[]
  outcome: DeliveryOutcome
  mistaken?: boolean
}

/** Renders the list of received messages, newest first, and the choice of how the mail server treats the next ones. */
export function mailboxPage({ locale, messages, outcome, mistaken = false }: MailboxView): string {
  const t = translationByLocale[locale.iso]
  return framed(
    { locale, provider: PROVIDER },
    t.mailbox,
    <>
      <section className="card">
        <h1 className="words">{t.mailbox}</h1>
        <p className="note">{messages.length === 0 ? t.mailboxEmpty : t.mailboxNote}</p>
        {messages.length > 0 && (
          <ul className="mails">
            {messages.map((message) => (
              <li key={message.number}>
                <a href={`/mailbox/${message.number}`}>{message.subject}</a>
                <p className="note">
                  {message.to} · {momentIn(locale, message.at)}
                </p>
              </li>
            ))}
          </ul>
        )}
      </section>
      <OutcomeForm t={t} outcome={outcome} mistaken={mistaken} />
      {messages.length > 0 && (
        <form method="post" action="/mailbox/empty">
          <button type="submit">{t.mailboxDelete}</button>
        </form>
      )}
    </>,
  )
}

type Choice = { t: Translation; outcome: DeliveryOutcome; mistaken: boolean }

function OutcomeForm({ t, outcome, mistaken }: Choice) {
  const texts: Record<DeliveryOutcome, readonly [label: string, note: string]> = {
    accept: [t.mailAccept, t.mailAcceptNote],
    reject: [t.mailReject, t.mailRejectNote],
    later: [t.mailLater, t.mailLaterNote],
    hang: [t.mailHang, t.mailHangNote],
    cut: [t.mailCut, t.mailCutNote],
  }
  return (
    <form className="card" method="post" action="/mailbox/outcome">
      <h2>{t.mailOutcome}</h2>
      {mistaken && (
        <p className="said warn" role="alert">
          {t.chooseOne}
        </p>
      )}
      <p className={outcome === "accept" ? "said good" : "said warn"} role="status">
        {texts[outcome][0]}
      </p>
      <ul>
        {deliveryOutcomes
          .filter((it) => it !== outcome)
          .map((it) => (
            <li key={it}>
              <button type="submit" name="outcome" value={it} aria-describedby={`about-${it}`}>
                {texts[it][0]}
              </button>
              <p className="note" id={`about-${it}`}>
                {texts[it][1]}
              </p>
            </li>
          ))}
      </ul>
    </form>
  )
}

/** Renders one message: its main headers, the HTML in a frame, the text with working links, and links to both and the source. */
export function messagePage(locale: Locale, message: ReceivedMessage): string {
  const t = translationByLocale[locale.iso]
  const path = `/mailbox/${message.number}`
  return framed(
    { locale, provider: PROVIDER },
    message.subject,
    <>
      <section className="card">
        <h1 className="words">{message.subject}</h1>
        <dl>
          <dt>{t.mailFrom}</dt>
          <dd>{message.from}</dd>
          <dt>{t.mailTo}</dt>
          <dd>{message.to}</dd>
          <dt>{t.mailAt}</dt>
          <dd>{momentIn(locale, message.at)}</dd>
        </dl>
        <nav className="parts">
          <a href={`${path}/html`}>{HTML}</a>
          <a href={`${path}/text`}>{t.mailText}</a>
          <a href={`${path}/source`}>{t.mailSource}</a>
        </nav>
      </section>
      <iframe
        className="mail"
        title={message.subject}
        src={`${path}/html`}
        sandbox="allow-top-navigation-by-user-activation allow-popups"
      />
      <section className="card">
        <h2>{t.mailText}</h2>
        <pre>{withLinks(message.text)}</pre>
      </section>
      <a className="button" href="/mailbox">
        {t.mailbox}
      </a>
    </>,
  )
}

/** Renders the page for a number without a message. */
export function noMessagePage(locale: Locale): string {
  const t = translationByLocale[locale.iso]
  return framed(
    { locale, provider: PROVIDER },
    t.mailUnknown,
    <>
      <section className="card">
        <h1 className="words">{t.mailUnknown}</h1>
      </section>
      <a className="button" href="/mailbox">
        {t.mailbox}
      </a>
    </>,
  )
}

function withLinks(text: string): ReactNode {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) => (
    // Every second part is a URL: the parts have no other identity than their place.
    // biome-ignore lint/suspicious/noArrayIndexKey: static markup
    <Fragment key={index}>{index % 2 === 1 ? <a href={part}>{part}</a> : part}</Fragment>
  ))
}

function momentIn(locale: Locale, instant: Instant): string {
  const day = { day: "numeric", month: "short", year: "numeric" } as const
  const time = { hour: "numeric", minute: "2-digit", second: "2-digit", timeZone: "UTC" } as const
  return new Intl.DateTimeFormat(dateTagOf(locale), { ...day, ...time, timeZoneName: "short" }).format(
    instant,
  )
}
