import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { LRUCache } from "lru-cache"
import type { RequestContext } from "~/context/request.server"
import type { Services } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { bestLocale, defaultLocale, LANGUAGE_COOKIE, locales } from "~/domain/locales"
import { resolvePricingContext } from "~/flows/checkout/resolve-pricing-context.server"
import { type Packed, packed } from "~/http/compression.server"
import { languagesIn } from "~/i18n/accept-language.server"
import { bodyOf } from "./rendered-page.server"

/** The first page as everybody gets it who has never been here. */
export type FirstPage = {
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Packed
  /** The scripts and the style in it, as a content security policy names them: a nonce must not come twice. */
  readonly allowed: { readonly scripts: string; readonly styles: string }
}

/** For whoever watches: how often a first page was there, and how often it had to be made or waited for. */
export const anonymousPageCacheStats = { hit: 0, miss: 0 }

type Make = { incoming: IncomingMessage; facts: RequestContext; old: FirstPage | undefined }
type Shop = {
  services: Services
  answer: (incoming: IncomingMessage, facts: RequestContext) => Promise<Response>
}

/** Milliseconds for which a page is given to others as well. The price list it shows is some seconds old anyway. */
const FRESH = 1_000

const paths = new Map(locales.map((locale) => [`${BASE}${locale.prefix || "/"}`, locale]))
const languageCookies = new Map(locales.map((locale) => [`${LANGUAGE_COOKIE}=${locale.code}`, locale]))

/**
 * Keeps the first page, by language and currency, as bytes that are ready to be sent. Whoever has a session, comes by
 * a link that says something, or has to be led to his language is not its reader: null.
 */
export function anonymousPageCache({ services, answer }: Shop) {
  const pages = new LRUCache<string, FirstPage, Omit<Make, "old">>({
    max: 100,
    ttl: FRESH,
    fetchMethod: (_, old, { context }) => made({ ...context, old }),
  })

  return async (incoming: IncomingMessage, facts: RequestContext): Promise<FirstPage | null> => {
    const reader = readerOf(incoming)
    if (!reader) return null
    const { address } = facts
    const headers = { get: (name: string) => incoming.headersDistinct[name]?.join(", ") ?? null }
    const country = await services.countryOf({ address, headers })
    const { currency } = await resolvePricingContext(services, { country, chosen: null, customers: null })
    const context = { incoming, facts }
    const status: LRUCache.Status<string, FirstPage, Omit<Make, "old">> = {}
    const page = pages.fetch(`${currency} ${weather(services)} ${reader}`, { context, status })
    anonymousPageCacheStats[status.fetch === "hit" ? "hit" : "miss"] += 1
    return (await page) ?? null
  }

  async function made({ incoming, facts, old }: Make): Promise<FirstPage | undefined> {
    const response = await answer(incoming, facts)
    const body = await bodyOf(response)
    const isEverybodys = response.headers.getSetCookie().every((it) => it.startsWith(`${LANGUAGE_COOKIE}=`))
    if (response.status !== 200 || !isEverybodys || !body) return
    const html = body.toString()
    const bytes = Buffer.from(html.replaceAll(` nonce="${facts.nonce}"`, ""))
    if (old?.body.plain.equals(bytes)) return old
    return { headers: [...response.headers], body: packed(bytes), allowed: allowedIn(html, facts.nonce) }
  }
}

/** Who is in trouble is said at once: gateways that do not answer, and the books. */
function weather({ gateways, catalogue }: Services): string {
  const away = [...gateways.values()].filter((it) => !it.healthy()).map(({ id }) => id)
  return [...away, ...(catalogue.paused() ? ["books"] : [])].join(",")
}

/** What tells first pages apart besides the currency: the address, and whether the language is remembered. */
function readerOf({ method, url = "", headers }: IncomingMessage): string | null {
  const locale = paths.get(url)
  if (method !== "GET" || !locale) return null
  const { cookie } = headers
  const remembered = cookie === undefined ? null : languageCookies.get(cookie)
  // A session, or a language that there is not.
  if (remembered === undefined) return null
  const preferred = remembered ?? bestLocale(languagesIn(headers["accept-language"]))
  if (locale === defaultLocale && preferred !== defaultLocale) return null
  return cookie === undefined ? url : `${url} ${cookie}`
}

const INLINE = /<(script|style)(?![^>]* src=)([^>]*)>(.*?)<\/\1>/gs

/** Only what carries the nonce it was made with: what somebody may have smuggled in does not run here either. */
function allowedIn(html: string, nonce: string): FirstPage["allowed"] {
  const hashes = { script: new Set<string>(), style: new Set<string>() }
  for (const [, tag, attributes = "", text = ""] of html.matchAll(INLINE)) {
    if (!attributes.includes(` nonce="${nonce}"`)) continue
    const hash = createHash("sha256").update(text).digest("base64")
    hashes[tag === "style" ? "style" : "script"].add(`'sha256-${hash}'`)
  }
  return { scripts: [...hashes.script].join(" "), styles: [...hashes.style].join(" ") }
}
