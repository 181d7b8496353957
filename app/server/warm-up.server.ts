import { createServer, request as httpRequest, type RequestListener, type Server } from "node:http"
import { duplexPair } from "node:stream"
import { buffer } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"
import type { Services } from "~/context/services.server"
import { emptySession } from "~/context/session.server"
import { encodeSession, SESSION_COOKIE } from "~/context/session-cookie.server"
import { BASE } from "~/domain/base-path"
import { SECOND } from "~/domain/calendar"
import { emptyChoices } from "~/domain/orders/choices"

/** A database or an external billing that does not answer delays the start by this much at most. */
const LIMIT = SECOND / 2

/** The list of coins is a part of the page, and asking for it is on its way: a page without it would be made once more. */
const LISTED_WITHIN = SECOND / 5

/** Nobody's: a name that is reserved for examples. */
const EMAIL = "visitor@shop.example"

type Shop = Pick<Services, "now" | "newId" | "sessionSeal" | "gateways"> & {
  readonly shop: Pick<Services["shop"], "publicUrl" | "currency">
}

/**
 * Requests the checkout before the shop listens, as a new visitor and as one who returns: what the first page needs is compiled,
 * and no visitor waits for it. The requests come over a connection within the process, so they pass all that a visitor's does,
 * from the parser of HTTP to the compression of the page. They have no address that a rate limit would count, and only read.
 * Never throws: a page that fails is shown to the first visitor. `handle`: answers a request without a log line. `limit`:
 * milliseconds that the requests delay the start at most.
 */
export async function warmUp(handle: RequestListener, services: Shop, limit = LIMIT): Promise<void> {
  const stopping = new AbortController()
  const gateways = [...services.gateways.values()]
  await within(LISTED_WITHIN, Promise.all(gateways.map(({ onSite }) => onSite?.listed)))
  await within(limit, requestAll(createServer(handle), services, stopping.signal))
  stopping.abort()
}

/** Waits for work, at most so many milliseconds. */
async function within(limit: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const tooLong = pause(limit, undefined, { ref: false, signal: done.signal }).catch(() => {})
  await Promise.race([work, tooLong])
  done.abort()
}

async function requestAll(server: Server, services: Shop, signal: AbortSignal): Promise<void> {
  const { host } = new URL(services.shop.publicUrl)
  for (const cookie of [null, returning(services)]) {
    if (!signal.aborted) await requested(server, { host, ...(cookie !== null && { cookie }) }, signal)
  }
}

/** Requests the checkout over a connection within the process, as a browser does. */
async function requested(
  server: Server,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const [visitor, shop] = duplexPair()
  server.emit("connection", shop)
  const { promise: answered, resolve, reject } = Promise.withResolvers<unknown>()
  httpRequest({
    path: `${BASE}/`,
    headers: { accept: "text/html", "accept-encoding": "gzip, br", ...headers },
    createConnection: () => visitor,
    signal,
  })
    .on("response", (response) => buffer(response).then(resolve, reject))
    .on("error", reject)
    .end()
  try {
    await answered
  } catch {
    // The first visitor's request fails the same way, and is logged.
  } finally {
    visitor.destroy()
    shop.destroy()
  }
}

/** The cookie of a visitor who has typed an e-mail. */
function returning({ now, newId, sessionSeal, shop }: Shop): string {
  const choices = { ...emptyChoices, email: EMAIL }
  const session = { ...emptySession, id: newId(), choices, currency: shop.currency, sealedAt: now() }
  return `${SESSION_COOKIE}=${encodeSession(sessionSeal, session)}`
}
