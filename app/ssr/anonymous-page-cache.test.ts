import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { beforeEach, expect, test, vi } from "vitest"
import type { RequestContext } from "~/context/request.server"
import { noLaw } from "~/domain/shop/country-law"
import { germanTax } from "../../tests/fixtures/tax-rules"
import { anonymousPageCache, type PageCacheServices } from "./anonymous-page-cache.server"

const LANGUAGE = "browserLang=en-en; Path=/checkout"
const html =
  '<style>a{}</style><script src="/a.js"></script><script type="later">x</script><script>foreign</script>'
/** A rendered page: its style and script carry the nonce. */
const made = html.replace("<style", '<style nonce="n"').replace("<script type", '<script nonce="n" type')

let country = "DE"
let [paused, healthy] = [false, true]
let page = () => new Response(made, { headers: { "set-cookie": LANGUAGE } })
const handle = vi.fn(async () => page())
const services = {
  countryOf: async () => country,
  shop: {
    brandVersion: 0,
    currency: "EUR" as const,
    legal: { seller: null, terms: null, privacy: null, refunds: null, tax: {}, law: noLaw },
    tax: null,
  },
  catalogue: { plans: async () => [{ pricing: { EUR: {}, GBP: {} } }], paused: () => paused },
  gateways: new Map([["offshore" as const, { id: "offshore" as const, healthy: () => healthy }]]),
} satisfies PageCacheServices
const requestContext = { address: "192.0.2.1", nonce: "n" } as RequestContext

let find: ReturnType<typeof anonymousPageCache>
beforeEach(() => {
  country = "DE"
  paused = false
  healthy = true
  page = () => new Response(made, { headers: { "set-cookie": LANGUAGE } })
  handle.mockClear()
  find = anonymousPageCache({ services, handle })
})

test("anonymous visitors with the same page share one rendering", async () => {
  const pages = await Promise.all([request(), request(), request()])
  expect(handle).toHaveBeenCalledTimes(1)
  expect(new Set(pages).size).toBe(1)
})

test.each([
  ["a URL with another locale", { url: "/checkout/de-de" }],
  ["a language cookie", { headers: { cookie: "browserLang=en-en" } }],
])("%s gets a separate rendering", async (_, other) => {
  expect(await request()).not.toBe(await request(other))
})

test("shows the chosen English to a browser that prefers German", async () => {
  expect(await request({ headers: { cookie: "browserLang=en-en", "accept-language": "de" } })).not.toBeNull()
})

test("caches one page for each currency", async () => {
  const euros = await request()
  country = "GB"
  expect(await request()).not.toBe(euros)
})

test("shows another version of the brand immediately", async () => {
  const versions = { ...services, shop: { ...services.shop, brandVersion: 1 } }
  find = anonymousPageCache({ services: versions, handle })
  const former = await request()
  expect(await request()).toBe(former)
  versions.shop.brandVersion = 2
  expect(await request()).not.toBe(former)
})

test("renders the page anew at the instant of a scheduled price", async () => {
  const from = 1_790_000_000_000
  const scheduled = { from, currency: "EUR", cycle: "monthly", price: 1_400 } as const
  const product = {
    pricing: { EUR: {} },
    scheduledPrices: [{ ...scheduled, author: null, at: null, reason: null }],
  }
  let plans: (typeof product | { pricing: { EUR: object } })[] = [product]
  const priced = { ...services, catalogue: { ...services.catalogue, plans: async () => plans } }
  find = anonymousPageCache({ services: priced, handle })
  const former = await request()
  expect(await request()).toBe(former)
  plans = [{ pricing: { EUR: {} } }]
  expect(await request()).not.toBe(former)
})

test("caches one page for each country in a shop that taxes, and one for all in another", async () => {
  const german = await request()
  country = "AT"
  expect(await request()).toBe(german)
  const taxing = { ...services, shop: { ...services.shop, tax: germanTax } }
  find = anonymousPageCache({ services: taxing, handle })
  const austrian = await request()
  country = "DE"
  expect(await request()).not.toBe(austrian)
})

test("shows an unavailable gateway or database immediately", async () => {
  const fair = await request()
  healthy = false
  const isDegraded = await request()
  paused = true
  expect(new Set([fair, isDegraded, await request()]).size).toBe(3)
})

test.each([
  ["a POST", { method: "POST" }],
  ["a URL with a query", { url: "/checkout/?promocode=WELCOME10" }],
  ["another page", { url: "/checkout/resellers" }],
  ["a visitor with a session", { headers: { cookie: "checkout=abc" } }],
  ["a visitor with a session and a language", { headers: { cookie: "browserLang=en-en; checkout=abc" } }],
  ["a visitor with an unsupported language cookie", { headers: { cookie: "browserLang=xx-xx" } }],
  ["a browser to be redirected to its language", { headers: { "accept-language": "de" } }],
  ["a browser to be redirected to its chosen language", { headers: { cookie: "browserLang=de-de" } }],
])("does not use the cache for %s", async (_, init) => {
  expect(await request(init)).toBeNull()
  expect(handle).not.toHaveBeenCalled()
})

test.each([
  ["that failed", () => new Response(made, { status: 503 })],
  ["that sets a session cookie", () => new Response(made, { headers: { "set-cookie": "checkout=abc" } })],
])("does not cache a page %s", async (_, other) => {
  page = other
  expect(await request()).toBeNull()
})

test("the CSP of a cached page allows its own scripts and styles by hash only", async () => {
  const { allowed } = (await request()) ?? expect.fail()
  expect(allowed).toEqual({ scripts: hashOf("x"), styles: hashOf("a{}") })
})

test("serves the page with the negotiated content encoding", async () => {
  const { body } = (await request()) ?? expect.fail()
  expect(brotliDecompressSync(body.as("br")).toString()).toBe(html)
  expect(gunzipSync(body.as("gzip")).toString()).toBe(html)
})

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

function request(init: { method?: string; url?: string; headers?: Record<string, string> } = {}) {
  const message = {
    method: "GET",
    url: "/checkout/",
    headersDistinct: {},
    ...init,
    headers: init.headers ?? {},
  }
  return find(message as unknown as IncomingMessage, requestContext)
}
