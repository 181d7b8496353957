import type { DatabaseSync } from "node:sqlite"
import type { Logger } from "pino"
import type { Instant } from "~/domain/calendar"
import { html } from "../html-response.server"
import { bodyOf, type Exchange, json, type SandboxResponse, seeOther } from "../http.server"
import { pageLocale } from "../locale.server"
import type { Route } from "../router.server"
import { isDeliveryOutcome } from "./delivery-outcomes"
import { startMailServer } from "./mail-server.server"
import { mailboxPage, messagePage, noMessagePage } from "./mailbox-pages.server"
import { type Messages, messagesIn, type ReceivedMessage } from "./messages.server"

export type Mailbox = {
  /** Where the shop sends its mail. */
  readonly smtpUrl: string
  readonly routes: readonly Route[]
  close(): Promise<void>
}

type MailboxSettings = { database: DatabaseSync; port: number; now: () => Instant; log: Logger }

/** Opens the mailbox: a mail server that keeps what it gets, and pages that show it. Throws when the port is in use. */
export async function openMailbox({ database, port, now, log }: MailboxSettings): Promise<Mailbox> {
  const messages = messagesIn(database)
  const server = await startMailServer({ messages, port, now, log })
  return { smtpUrl: server.url, routes: mailboxRoutes(messages), close: server.close }
}

function mailboxRoutes(messages: Messages): readonly Route[] {
  const shown =
    (show: (exchange: Exchange, message: ReceivedMessage) => SandboxResponse | Promise<SandboxResponse>) =>
    async (exchange: Exchange) => {
      const message = await messages.find(Number(exchange.params.number))
      return message ? show(exchange, message) : noMessage(exchange)
    }
  return [
    { method: "GET", path: /^\/mailbox\/?$/, handle: (exchange) => list(messages, exchange) },
    {
      method: "GET",
      path: /^\/mailbox\/messages\.json$/,
      handle: async () => json(200, await messages.list()),
    },
    { method: "POST", path: /^\/mailbox\/outcome$/, handle: (exchange) => choose(messages, exchange) },
    { method: "POST", path: /^\/mailbox\/empty$/, handle: () => empty(messages) },
    {
      method: "GET",
      path: /^\/mailbox\/(?<number>\d{1,9})$/,
      handle: shown(async ({ request }, message) =>
        html(200, messagePage(await pageLocale(request, null), message), { frames: true }),
      ),
    },
    {
      method: "GET",
      path: /^\/mailbox\/(?<number>\d{1,9})\/html$/,
      handle: shown((_, message) => mailHtml(message)),
    },
    {
      method: "GET",
      path: /^\/mailbox\/(?<number>\d{1,9})\/text$/,
      handle: shown((_, { text }) => plain(text)),
    },
    {
      method: "GET",
      path: /^\/mailbox\/(?<number>\d{1,9})\/source$/,
      handle: shown((_, { source }) => plain(source)),
    },
  ]
}

async function list(messages: Messages, { request }: Exchange): Promise<SandboxResponse> {
  const all = await messages.list()
  const outcome = messages.outcome()
  return html(200, mailboxPage({ locale: await pageLocale(request, null), messages: all, outcome }))
}

async function choose(messages: Messages, { request }: Exchange): Promise<SandboxResponse> {
  const form = await bodyOf(request)
  const outcome = new URLSearchParams(form?.toString("utf8")).get("outcome")
  if (isDeliveryOutcome(outcome)) {
    messages.setOutcome(outcome)
    return seeOther("/mailbox")
  }
  const locale = await pageLocale(request, null)
  const all = await messages.list()
  return html(400, mailboxPage({ locale, messages: all, outcome: messages.outcome(), mistaken: true }))
}

function empty(messages: Messages): SandboxResponse {
  messages.empty()
  return seeOther("/mailbox")
}

async function noMessage({ request }: Exchange): Promise<SandboxResponse> {
  return html(404, noMessagePage(await pageLocale(request, null)))
}

/**
 * The message as a mail program shows it: without script, forms and remote content, and with the inline styles that mail
 * needs. Its links leave the frame.
 */
function mailHtml({ html: body }: ReceivedMessage): SandboxResponse {
  const policy = [
    "sandbox allow-top-navigation-by-user-activation allow-popups",
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src data:",
    "frame-ancestors 'self'",
  ]
  return {
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy.join("; ") },
    body: body.replace(/<head[^>]*>/i, (head) => `${head}<base target="_top">`),
  }
}

function plain(body: string): SandboxResponse {
  return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body }
}
