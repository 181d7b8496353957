import { once } from "node:events"
import type { DatabaseSync } from "node:sqlite"
import { setTimeout as pause } from "node:timers/promises"
import { Webhook } from "standardwebhooks"
import type { Instant } from "~/domain/calendar"
import { isWebhookSecret } from "~/domain/webhooks/secret"
import { html } from "../html-response.server"
import { bodyOf, type Exchange, json, type SandboxResponse, seeOther } from "../http.server"
import { pageLocale } from "../locale.server"
import type { Route } from "../router.server"
import { type ReceivedEvents, receivedEventsIn, type Verdict } from "./received-events.server"
import { isReceiverAnswer, type ReceiverAnswer } from "./receiver-answers"
import { receiverPage } from "./receiver-page.server"

const PATH = "/webhooks"
const REDIRECTED = `${PATH}/redirected`

type ReceiverSettings = {
  database: DatabaseSync
  now: () => Instant
  /** Milliseconds that a late answer takes. */
  lateMs: number
  origin: () => string
}

/** A receiver of the shop's events: keeps and verifies what it gets, and answers as a tester has chosen on its page. */
export function receiverRoutes({ database, ...settings }: ReceiverSettings): readonly Route[] {
  const events = receivedEventsIn(database)
  const receiver = { ...settings, events }
  return [
    { method: "GET", path: /^\/webhooks\/?$/, handle: (exchange) => shown(receiver, exchange, null) },
    { method: "GET", path: /^\/webhooks\/events\.json$/, handle: () => json(200, events.list()) },
    { method: "POST", path: /^\/webhooks\/answer$/, handle: (exchange) => chosen(receiver, exchange) },
    { method: "POST", path: /^\/webhooks\/secret$/, handle: (exchange) => saveSecret(receiver, exchange) },
    {
      method: "POST",
      path: /^\/webhooks\/empty$/,
      handle() {
        events.empty()
        return seeOther(PATH)
      },
    },
    {
      method: "POST",
      path: /^\/webhooks(?:\/redirected)?$/,
      handle: (exchange) => received(receiver, exchange),
    },
  ]
}

type Receiver = Omit<ReceiverSettings, "database"> & { readonly events: ReceivedEvents }

async function shown(
  { events, origin }: Receiver,
  { request }: Exchange,
  problem: string | null,
): Promise<SandboxResponse> {
  const page = receiverPage({
    locale: await pageLocale(request, null),
    url: `${origin()}${PATH}`,
    events: events.list(),
    answer: events.chosenAnswer(),
    hasSecret: events.secret() !== null,
    problem,
  })
  return html(problem === null ? 200 : 400, page)
}

async function chosen(receiver: Receiver, exchange: Exchange): Promise<SandboxResponse> {
  const answer = (await formOf(exchange)).get("answer")
  if (!isReceiverAnswer(answer)) return shown(receiver, exchange, "Choose one of the answers.")
  receiver.events.setAnswer(answer)
  return seeOther(PATH)
}

async function saveSecret(receiver: Receiver, exchange: Exchange): Promise<SandboxResponse> {
  const secret = (await formOf(exchange)).get("secret")?.trim() ?? ""
  if (!isWebhookSecret(secret))
    return shown(receiver, exchange, "That is not a secret of Standard Webhooks (whsec_…).")
  receiver.events.setSecret(secret)
  return seeOther(PATH)
}

async function formOf({ request }: Exchange): Promise<URLSearchParams> {
  return new URLSearchParams((await bodyOf(request))?.toString("utf8"))
}

async function received({ events, now, lateMs }: Receiver, exchange: Exchange): Promise<SandboxResponse> {
  const { request } = exchange
  const body = (await bodyOf(request))?.toString("utf8") ?? ""
  const id = headerOf(exchange, "webhook-id")
  const path = (request.url ?? "").split("?", 1)[0] ?? ""
  events.add({ at: now(), path, id, verdict: verdictOf(events.secret(), exchange, body), body })
  return answers[events.chosenAnswer()](exchange, lateMs)
}

function verdictOf(secret: string | null, exchange: Exchange, body: string): Verdict {
  if (secret === null) return "unknown"
  const headers = Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, headerOf(exchange, name)]),
  )
  try {
    new Webhook(secret).verify(body, headers)
    return "verified"
  } catch {
    return "invalid"
  }
}

function headerOf({ request }: Exchange, name: string): string {
  return String(request.headers[name] ?? "")
}

const accepted: SandboxResponse = json(200, { received: true })

/** More than the shop keeps, with what would do harm if it were not escaped. */
const HOSTILE = `<script>alert(1)</script>\u202e\u001b[2J${"<b>no</b> ".repeat(1_000)}`

type Answer = (exchange: Exchange, lateMs: number) => SandboxResponse | Promise<SandboxResponse>

const answers: Readonly<Record<ReceiverAnswer, Answer>> = {
  accept: () => accepted,
  async late(_, lateMs) {
    await pause(lateMs)
    return accepted
  },
  cut({ request }) {
    request.socket.destroy()
    return accepted
  },
  error: () => ({ status: 500, headers: { "content-type": "text/html; charset=utf-8" }, body: HOSTILE }),
  gone: () => json(410, { error: "gone" }),
  "too-many": () => json(429, { error: "too many" }, { "retry-after": "60" }),
  async hang({ response }) {
    await once(response, "close")
    return accepted
  },
  redirect: () => ({ status: 307, headers: { location: REDIRECTED }, body: "" }),
}
