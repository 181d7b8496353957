import pino from "pino"
import { type MiddlewareFunction, RouterContextProvider } from "react-router"
import { affiliateContext } from "~/affiliate.server"
import { localeOfIso } from "~/domain/locales"
import { type InPlace, isInPlace } from "~/in-place"
import { localeContext } from "~/locale.server"
import { requestContext } from "~/request.server"
import { type Services, servicesContext } from "~/services.server"
import { type CheckoutSession, emptySession, sessionContext } from "~/session.server"

type Visit = {
  services: Services
  /** Path and query, below the shop's address. */
  path: string
  session?: Partial<CheckoutSession>
  /** Sent by POST. */
  form?: Record<string, string>
  headers?: Record<string, string>
  address?: string | null
}

type Met = {
  /** Where the guard leads to; null when it lets through. */
  readonly location: string | null
  /** The screen it puts in the page's place, with its status. */
  readonly screen: InPlace | null
  readonly status: number
  readonly cookies: readonly string[]
  readonly session: CheckoutSession
  readonly affiliate: string | null
}

/** What becomes of a visit that meets one guard. German, so that a lost prefix is noticed. */
export async function meet(guard: MiddlewareFunction<Response>, visit: Visit): Promise<Met> {
  const { services, path, session = {}, form, headers = {}, address = "192.0.2.7" } = visit
  const url = new URL(`https://shop.test${path}`)
  const body = form && new URLSearchParams(form)
  const request = new Request(url, { method: form ? "POST" : "GET", headers, ...(body && { body }) })
  const context = new RouterContextProvider()
  context.set(servicesContext, services)
  context.set(sessionContext, { ...emptySession, ...session })
  context.set(localeContext, localeOfIso("de-DE"))
  const log = pino({ level: "silent" })
  context.set(requestContext, { id: "r1", at: services.now(), address, nonce: "n", log, refusal: null })

  const page = { request, url, pattern: "/:locale?", params: { locale: "de-de" }, context }
  // A guard may answer at once or later, and refuses by throwing.
  const met = (async () => guard(page, async () => new Response()))()
  const answer = await met.catch((it: unknown) => it)
  const response = answer instanceof Response ? answer : null
  const screen = screenIn(answer)
  return {
    location: response?.headers.get("location") ?? null,
    screen: screen?.data ?? null,
    status: screen?.status ?? response?.status ?? 200,
    cookies: response?.headers.getSetCookie() ?? [],
    session: context.get(sessionContext),
    affiliate: context.get(affiliateContext),
  }
}

function screenIn(thrown: unknown): { data: InPlace; status: number } | null {
  if (typeof thrown !== "object" || thrown === null || !("data" in thrown)) return null
  const { data, init } = thrown as { data: unknown; init?: { status?: number } }
  return isInPlace(data) ? { data, status: init?.status ?? 200 } : null
}
