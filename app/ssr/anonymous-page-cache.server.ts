import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { LRUCache } from "lru-cache"
import type { RequestContext } from "~/context/request.server"
import type { Services, ShopConfig } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import type { Product } from "~/domain/catalogue/catalogue"
import type { MaybePriced } from "~/domain/catalogue/scheduled-prices"
import type { Country } from "~/domain/customers/country"
import { defaultLocale, LANGUAGE_COOKIE, locales, localPath } from "~/domain/locales"
import type { GatewayId } from "~/domain/payments/gateway-id"
import {
  nextScheduledPrice,
  type PricedShop,
  resolvePricingContext,
} from "~/flows/checkout/resolve-pricing-context.server"
import { type Compressed, compressed } from "~/http/compression.server"
import { selectLocale } from "~/i18n/detect-locale.server"
import { bodyOf } from "./rendered-page.server"

/** The checkout page of an anonymous visitor without a session. */
export type FirstPage = {
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Compressed
  /** CSP hashes of its scripts and style: a cached page must not repeat a nonce. */
  readonly allowed: { readonly scripts: string; readonly styles: string }
}

/** Counts for metrics: pages served from the cache, and pages rendered or waited for. */
export const anonymousPageCacheStats = { hit: 0, miss: 0 }

type Make = { incoming: IncomingMessage; requestContext: RequestContext; old: FirstPage | undefined }
export type CachedGateway = { readonly id: GatewayId; healthy(): boolean }

/** What the page depends on besides the request. */
export type PageCacheServices = Pick<Services, "countryOf"> &
  Omit<PricedShop, "catalogue"> & {
    readonly catalogue: Pick<Services["catalogue"], "paused"> & {
      plans(): Promise<readonly (Pick<Product, "pricing"> & MaybePriced)[]>
    }
    readonly shop: Pick<ShopConfig, "currency" | "legal" | "tax" | "brandVersion">
    readonly gateways: ReadonlyMap<GatewayId, CachedGateway>
  }

type Shop = {
  services: PageCacheServices
  handle: (incoming: IncomingMessage, requestContext: RequestContext) => Promise<Response>
}

/** Time to live in milliseconds. The catalogue it shows may be some seconds old anyway. */
const FRESH = 1_000

const localeByUrl = new Map(locales.map((locale) => [`${BASE}${localPath(locale, "/")}`, locale]))
const localeCookies = new Map(locales.map((locale) => [`${LANGUAGE_COOKIE}=${locale.code}`, locale]))

/**
 * Caches the checkout page of anonymous visitors as bytes ready to be sent: by brand, currency, country with rules of its own, what
 * fails, and language. Null for requests with a session or entry link, and for those that need a language redirect.
 */
export function anonymousPageCache({ services, handle }: Shop) {
  const pages = new LRUCache<string, FirstPage, Omit<Make, "old">>({
    max: 100,
    ttl: FRESH,
    fetchMethod: (_, old, { context }) => made({ ...context, old }),
  })

  return async (incoming: IncomingMessage, requestContext: RequestContext): Promise<FirstPage | null> => {
    const address = addressKey(incoming)
    if (!address) return null
    const headers = { get: (name: string) => incoming.headersDistinct[name]?.join(", ") ?? null }
    const country = await services.countryOf({ address: requestContext.address, headers })
    const { currency } = await resolvePricingContext(services, { country, chosen: null, customers: null })
    const context = { incoming, requestContext }
    const status: LRUCache.Status<string, FirstPage, Omit<Make, "old">> = {}
    const { brandVersion } = services.shop
    // A scheduled price changes the page at its instant: from then on another one is the next, or none.
    const prices = (await nextScheduledPrice(services)) ?? ""
    const page = pages.fetch(
      `${brandVersion} ${currency} ${prices} ${lawKey(services, country)} ${outageKey(services)} ${address}`,
      {
        context,
        status,
      },
    )
    anonymousPageCacheStats[status.fetch === "hit" ? "hit" : "miss"] += 1
    return (await page) ?? null
  }

  async function made({ incoming, requestContext, old }: Make): Promise<FirstPage | undefined> {
    const response = await handle(incoming, requestContext)
    const body = await bodyOf(response)
    const isEverybodys = response.headers.getSetCookie().every((it) => it.startsWith(`${LANGUAGE_COOKIE}=`))
    if (response.status !== 200 || !isEverybodys || !body) return
    const html = body.toString()
    const bytes = Buffer.from(html.replaceAll(` nonce="${requestContext.nonce}"`, ""))
    if (old?.body.plain.equals(bytes)) return old
    return {
      headers: [...response.headers],
      body: compressed(bytes),
      allowed: allowedIn(html, requestContext.nonce),
    }
  }
}

/** Cache key part: a country with rules of its own has its own page, and in a shop that taxes every country. */
function lawKey({ shop }: PageCacheServices, country: Country): string {
  if (shop.tax !== null) return country
  return Object.hasOwn(shop.legal.law.countries, country) ? country : ""
}

/** Cache key part: degraded gateways and an unavailable database change the page immediately. */
function outageKey({ gateways, catalogue }: PageCacheServices): string {
  const failing = [...gateways.values()].filter((it) => !it.healthy()).map(({ id }) => id)
  return [...failing, ...(catalogue.paused() ? ["database"] : [])].join(",")
}

/** Cache key part: the URL, and the language cookie. Null if the page cannot be cached. */
function addressKey({ method, url = "", headers }: IncomingMessage): string | null {
  const locale = localeByUrl.get(url)
  if (method !== "GET" || !locale) return null
  const { cookie } = headers
  // The cookie holds a session, or an unknown language.
  const remembered = cookie === undefined ? null : localeCookies.get(cookie)
  if (remembered === undefined) return null
  const languages = headers["accept-language"] ?? null
  if ((selectLocale({ pathname: url, remembered, languages }) ?? defaultLocale) !== locale) return null
  return cookie === undefined ? url : `${url} ${cookie}`
}

const INLINE = /<(script|style)(?![^>]* src=)([^>]*)>(.*?)<\/\1>/gs

/** Hashes only what carries the page's nonce, so that injected markup is not allowed. */
function allowedIn(html: string, nonce: string): FirstPage["allowed"] {
  const hashes = { script: new Set<string>(), style: new Set<string>() }
  for (const [, tag, attributes = "", text = ""] of html.matchAll(INLINE)) {
    if (!attributes.includes(` nonce="${nonce}"`)) continue
    const hash = createHash("sha256").update(text).digest("base64")
    hashes[tag === "style" ? "style" : "script"].add(`'sha256-${hash}'`)
  }
  return { scripts: [...hashes.script].join(" "), styles: [...hashes.style].join(" ") }
}
