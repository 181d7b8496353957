import type { Locale } from "~/domain/locales"
import { printable } from "~/domain/printable"
import { framed } from "../page-layout.server"
import type { ReceivedEvent, Verdict } from "./received-events.server"
import { answerTexts, type ReceiverAnswer, receiverAnswers } from "./receiver-answers"

/** In English, like the console: only who runs the shop sees this page. */
const texts = {
  title: "Received events",
  none: "None has arrived yet.",
  empty: "Delete all events",
  repeated: " · came before",
  verification: "Verification",
  hasSecret: "Events are verified by the secret that was given.",
  hasNoSecret: "Events are not verified yet.",
  secret: "Secret of the endpoint (whsec_…)",
  verify: "Verify the next events by it",
  answer: "What the next events are answered",
} as const

const lead = (url: string) => `Events that an endpoint with the URL ${url} gets arrive here, newest first.`

const verdicts: Readonly<Record<Verdict, string>> = {
  verified: "verified",
  invalid: "signature INVALID",
  unknown: "not verified: no secret is known",
}

type ReceiverView = {
  locale: Locale
  /** Where an endpoint sends events to this receiver. */
  url: string
  events: readonly ReceivedEvent[]
  answer: ReceiverAnswer
  hasSecret: boolean
  problem: string | null
}

/** Renders the received events, newest first, the choice of the answer to the next ones, and the field of the secret. */
export function receiverPage({ locale, url, events, answer, hasSecret, problem }: ReceiverView): string {
  return framed(
    { locale, provider: "Receiver of webhooks (sandbox)" },
    texts.title,
    <>
      <section className="card">
        <h1 className="words">{texts.title}</h1>
        {problem !== null && (
          <p className="said warn" role="alert">
            {problem}
          </p>
        )}
        <p className="note">{lead(url)}</p>
        {events.length === 0 ? <p>{texts.none}</p> : <Events events={events} />}
      </section>
      <SecretForm hasSecret={hasSecret} />
      <AnswerForm answer={answer} />
      {events.length > 0 && (
        <form method="post" action="/webhooks/empty">
          <button type="submit">{texts.empty}</button>
        </form>
      )}
    </>,
  )
}

function Events({ events }: Pick<ReceiverView, "events">) {
  return (
    <ul>
      {events.map(({ number, at, id, path, verdict, body }) => (
        <li key={number}>
          <p className={verdict === "verified" ? "said good" : "said warn"}>{verdicts[verdict]}</p>
          <p className="note">
            {new Date(at).toISOString()} · {printable(id)} · {path}
            {events.some((it) => it.id === id && it.number < number) && texts.repeated}
          </p>
          <pre>{printable(body)}</pre>
        </li>
      ))}
    </ul>
  )
}

function SecretForm({ hasSecret }: Pick<ReceiverView, "hasSecret">) {
  return (
    <form className="card" method="post" action="/webhooks/secret">
      <h2>{texts.verification}</h2>
      <p className={hasSecret ? "said good" : "said warn"}>
        {hasSecret ? texts.hasSecret : texts.hasNoSecret}
      </p>
      <p>
        <label htmlFor="secret">{texts.secret}</label>
        <input id="secret" name="secret" required autoComplete="off" spellCheck={false} />
      </p>
      <button type="submit">{texts.verify}</button>
    </form>
  )
}

function AnswerForm({ answer }: Pick<ReceiverView, "answer">) {
  return (
    <form className="card" method="post" action="/webhooks/answer">
      <h2>{texts.answer}</h2>
      <p className={answer === "accept" ? "said good" : "said warn"} role="status">
        {answerTexts[answer][0]}
      </p>
      <ul>
        {receiverAnswers
          .filter((it) => it !== answer)
          .map((it) => (
            <li key={it}>
              <button type="submit" name="answer" value={it} aria-describedby={`about-${it}`}>
                {answerTexts[it][0]}
              </button>
              <p className="note" id={`about-${it}`}>
                {answerTexts[it][1]}
              </p>
            </li>
          ))}
      </ul>
    </form>
  )
}
