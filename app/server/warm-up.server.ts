import { setTimeout as pause } from "node:timers/promises"
import type { Logger } from "pino"
import type { RequestHandler, RouterContextProvider } from "react-router"
import { requestContext } from "~/context/request.server"
import type { Services } from "~/context/services.server"
import { emptySession } from "~/context/session.server"
import { encodeSession, SESSION_COOKIE } from "~/context/session-cookie.server"
import { BASE } from "~/domain/base-path"
import { SECOND } from "~/domain/calendar"
import { emptyChoices } from "~/domain/choices"
import { randomToken } from "./random-token.server"

/** A database or an external billing that does not answer delays the start by this much at most. */
const LIMIT = SECOND / 2

/** The list of coins is a part of the page, and asking for it is on its way: a page without it would be made once more. */
const LISTED_WITHIN = SECOND / 5

/** Nobody's: a name that is reserved for examples. */
const EMAIL = "visitor@shop.example"

type Shop = {
  readonly handle: RequestHandler
  readonly contextOf: (log: Logger) => RouterContextProvider
  readonly services: Pick<Services, "now" | "newId" | "sessionSeal" | "gateways"> & {
    readonly shop: Pick<Services["shop"], "publicUrl" | "currency">
  }
  readonly log: Logger
}

/**
 * Renders the checkout before the shop listens, for a new visitor and for one who returns: what the first page needs is compiled,
 * and no visitor waits for it. The requests have no visitor: they pass the listener by, which counts visits and logs requests,
 * have no address that a rate limit would count, and only read. Never throws: a page that fails is shown to the first visitor.
 */
export async function warmUp(shop: Shop): Promise<void> {
  const stopping = new AbortController()
  const gateways = [...shop.services.gateways.values()]
  await within(LISTED_WITHIN, Promise.all(gateways.map(({ onSite }) => onSite?.listed)))
  await within(LIMIT, renderAll(shop, stopping.signal))
  stopping.abort()
}

/** Waits for work, at most so many milliseconds. */
async function within(limit: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const tooLong = pause(limit, undefined, { ref: false, signal: done.signal }).catch(() => {})
  await Promise.race([work, tooLong])
  done.abort()
}

async function renderAll(shop: Shop, signal: AbortSignal): Promise<void> {
  for (const cookie of [null, returning(shop.services)]) {
    if (!signal.aborted) await render(shop, cookie)
  }
}

async function render({ handle, contextOf, services, log }: Shop, cookie: string | null): Promise<void> {
  const silent = log.child({}, { level: "silent" })
  const context = contextOf(silent)
  const [id, nonce] = [randomToken(9), randomToken(15)]
  context.set(requestContext, { id, at: services.now(), address: null, nonce, log: silent, rejection: null })
  const headers = { accept: "text/html", ...(cookie !== null && { cookie }) }
  try {
    await handle(new Request(`${services.shop.publicUrl}${BASE}/`, { headers }), context)
  } catch {
    // The first visitor's request fails the same way, and is logged.
  }
}

/** The cookie of a visitor who has typed an e-mail. */
function returning({ now, newId, sessionSeal, shop }: Shop["services"]): string {
  const choices = { ...emptyChoices, email: EMAIL }
  const session = { ...emptySession, id: newId(), choices, currency: shop.currency, sealedAt: now() }
  return `${SESSION_COOKIE}=${encodeSession(sessionSeal, session)}`
}
