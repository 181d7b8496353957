import { createServer, request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import pino from "pino"
import { RouterContextProvider } from "react-router"
import { afterAll, beforeAll, expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { readShopFile } from "~/config/shop-file.server"
import { recordError } from "~/context/error.server"
import { requestContext, routeContext } from "~/context/request.server"
import type { Services } from "~/context/services.server"
import { noLaw } from "~/domain/shop/country-law"
import { enEn } from "~/i18n/translations/en-en"
import { readHtml, textOf } from "../../tests/support/html/html-tree"
import { requestListener } from "./request-listener.server"
import { MAX_BODY_BYTES } from "./web-request.server"

const lines: Record<string, unknown>[] = []
const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const analytics = { src: "https://count.test/a.js", data: {} }
const page = `<p>${"a page that is worth compressing ".repeat(100)}</p>`

/** The latest request that reached the routes, and their response. */
let received: { request: Request; rejection: string | null; body: string } | null = null
/** Whether a backup is restored during each request. */
let isRestored = false
/** The steps counted of visitors, as the sums name them. */
const counted: string[] = []
/** What is left of the time for which billing has asked to be left alone. */
let pausedFor: number | null = null
let handle = (_context: RouterContextProvider) =>
  new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } })

/** Brand and logo change while the shop runs. */
const shop: {
  brand: Services["shop"]["brand"]
  logo: Services["shop"]["logo"]
} & Pick<Services["shop"], "publicUrl" | "currency" | "legal" | "tax" | "brandVersion" | "analytics"> = {
  publicUrl: "http://127.0.0.1:4999",
  currency: "EUR",
  legal: { seller: null, terms: null, privacy: null, refunds: null, tax: {}, law: noLaw },
  tax: null,
  brand: readShopFile(undefined).brand,
  brandVersion: 0,
  logo: null,
  analytics,
}

const listener = requestListener({
  trustedProxies: [],
  services: {
    shop,
    gateways: new Map([
      ["offshore", { id: "offshore" as const, origins: ["https://pay.test"], healthy: () => true }],
    ]),
    watchRestores: () => async () => isRestored,
    stepCounter: {
      count: (step, { locale }) => void counted.push(`${step} ${locale}`),
      flush: async () => {},
    },
    now: () => 7,
    apiAuth: null,
    countryOf: async () => "DE",
    catalogue: { plans: async () => [], paused: () => false, pausedFor: () => pausedFor },
  },
  contextOf: () => new RouterContextProvider(),
  log,
  handle: async (request, context) => {
    const contexts = context as RouterContextProvider
    const { rejection } = contexts.get(requestContext)
    // As the middleware of pages sets it.
    if (/\/checkout\/de-de\/$/.test(new URL(request.url).pathname)) contexts.set(routeContext, "/:locale?")
    received = { request, rejection, body: await request.text() }
    return handle(contexts)
  },
  clientFolder: "/nowhere",
  maxConcurrent: 1_000,
})
const server = createServer(listener.handle)
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)))
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))

const asBrowser = { headers: { accept: "text/html" } }

test("a page loads the shop's files and runs its own scripts alone, sends forms to the shop and its gateways, and is in no frame", async () => {
  const { headers } = await request("/checkout/resellers")
  const directives = String(headers["content-security-policy"])
    .replaceAll(/'nonce-[\w-]{24}'/g, "'nonce'")
    .split("; ")
  expect(new Set(directives)).toEqual(
    new Set([
      "default-src 'none'",
      "img-src 'self'",
      "font-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "connect-src 'self'",
      "script-src 'self' 'nonce'",
      "style-src 'self' 'nonce'",
      "form-action 'self' https://pay.test",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]),
  )
})

test("no response is taken for another type, framed, named to other sites, or reached by their windows and devices", async () => {
  const { headers } = await request("/checkout/resellers")
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  })
})

test("the CSP allows the analytics script on tracked pages only", async () => {
  const policyOf = async (path: string) => String((await request(path)).headers["content-security-policy"])
  expect(await policyOf("/checkout/de-de/?promocode=X")).toMatch(
    /connect-src 'self' https:\/\/count\.test; script-src 'self' 'nonce-[\w-]+' https:\/\/count\.test;/,
  )
  for (const path of ["/checkout/success", "/checkout/waiting", "/checkout/resellers", "/checkout/?signin"]) {
    expect(await policyOf(path)).not.toContain("count.test")
  }
})

/** A logo whose bytes are text. */
const logoNamed = (name: string) => ({
  path: `/logo-${name}.svg`,
  type: "image/svg+xml",
  bytes: Buffer.from(name),
  width: 32,
  height: 32,
  withName: true,
  plate: true,
  isForDark: false,
})

test("a logo is served for good and in a sandbox, and the former one too, which pages of before still name", async () => {
  shop.logo = logoNamed("one")
  expect((await request("/checkout/logo-one.svg")).body.toString()).toBe("one")
  shop.logo = logoNamed("two")
  for (const name of ["one", "two"]) {
    const { headers, body } = await request(`/checkout/logo-${name}.svg`)
    expect(body.toString()).toBe(name)
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable")
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'.*; sandbox$/)
    expect(headers["x-content-type-options"]).toBe("nosniff")
  }
  shop.logo = null
  handle = () => new Response(null, { status: 404 })
  expect((await request("/checkout/logo-three.svg")).status).toBe(404)
  handle = () => new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } })
})

test("an error page has the brand that holds", async () => {
  const { brand } = shop
  shop.brand = { ...brand, name: "Northlight" }
  expect((await request("/none", asBrowser)).body.toString()).toContain("Northlight")
  shop.brand = brand
  expect((await request("/none", asBrowser)).body.toString()).not.toContain("Northlight")
})

test("every page has a nonce and a request id of its own", async () => {
  const [first, second] = [await request("/checkout/resellers"), await request("/checkout/resellers")]
  expect(first.headers["content-security-policy"]).not.toBe(second.headers["content-security-policy"])
  expect(first.headers["x-request-id"]).not.toBe(second.headers["x-request-id"])
})

test.each([
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync],
])("a browser that accepts %s gets the page in that encoding", async (encoding, unpack) => {
  const { headers, body } = await request("/checkout/resellers", { headers: { "accept-encoding": encoding } })
  expect(headers["content-encoding"]).toBe(encoding)
  expect(unpack(body).toString()).toBe(page)
})

test("a browser that accepts neither gzip nor brotli gets the page uncompressed", async () => {
  const { headers, body } = await request("/checkout/resellers")
  expect(headers["content-encoding"]).toBeUndefined()
  expect(body.toString()).toBe(page)
})

test.each(["/", "/checkout"])("%s redirects to the checkout", async (path) => {
  expect(await request(path)).toMatchObject({ status: 301, headers: { location: "/checkout/" } })
})

test.each(["/", "/checkout"])("%s redirects an entry link to the checkout with its query", async (path) => {
  const query = "?email=viewer%40example.com&pid=2&auto_redirect=true"
  expect(await request(`${path}${query}`)).toMatchObject({
    status: 301,
    headers: { location: `/checkout/${query}` },
  })
})

test("a request that fails because a backup was restored meanwhile gets 503 with Retry-After", async () => {
  const failed = () => new Response("<p>Error</p>", { status: 500, headers: { "content-type": "text/html" } })
  handle = failed
  expect(await request("/checkout/resellers", asBrowser)).toMatchObject({ status: 500 })
  isRestored = true
  const { status, headers, body } = await request("/checkout/resellers", asBrowser)
  expect([status, headers["retry-after"]]).toEqual([503, "10"])
  expect(textOf(readHtml(body.toString()))).toContain(enEn.error.unavailable)
  handle = () => new Response("a page")
  expect(await request("/checkout/resellers", asBrowser)).toMatchObject({ status: 200 })
  isRestored = false
})

test("simultaneous health checks call the health route once", async () => {
  handle = () => Response.json({ status: "ok" })
  received = null
  const responses = await Promise.all([1, 2, 3].map(() => request("/checkout/api/health?x=1")))
  expect(responses.map(({ status, body }) => `${status} ${body}`)).toEqual(
    Array(3).fill('200 {"status":"ok"}'),
  )
  expect(responses[0]?.headers).toMatchObject({ "cache-control": "no-store" })
  expect(new Set(responses.map(({ headers }) => headers["x-request-id"])).size).toBe(3)
})

test.each([
  ["http://127.0.0.1:4999/checkout/resellers?plan=12", "/checkout/resellers?plan=12"],
  ["HTTPS://127.0.0.1:4999/checkout/resellers", "/checkout/resellers"],
  ["http://127.0.0.1:4999/checkout//evil.test", "/checkout//evil.test"],
])("a target with the shop's own host, %s, is that of the path", async (target, path) => {
  received = null
  expect((await request(target)).status).toBe(200)
  expect(received).toMatchObject({ request: { url: `http://127.0.0.1:4999${path}` } })
})

test("a target of the shop's own host without a path leads to the checkout with its query", async () => {
  for (const query of ["", "?pid=2"])
    expect(await request(`http://127.0.0.1:4999${query}`)).toMatchObject({
      status: 301,
      headers: { location: `/checkout/${query}` },
    })
})

test.each(["http://evil.test/checkout/", "http://127.0.0.1:4999@evil.test/checkout/", "http:///checkout/"])(
  "a target with another host, %s, is refused",
  async (target) => {
    received = null
    expect((await request(target)).status).toBe(400)
    expect(received).toBeNull()
  },
)

test("redirects localhost to the host that the gateway returns to", async () => {
  const response = await request("/checkout/?promocode=X", { headers: { host: "localhost:4999" } })
  expect(response).toMatchObject({
    status: 302,
    headers: { location: "http://127.0.0.1:4999/checkout/?promocode=X" },
  })
})

test.each([
  ["/checkout/DE-de", "/checkout/de-de"],
  ["/checkout/EN-GB/?promocode=X", "/checkout/en-gb/?promocode=X"],
  ["/checkout/Pt-Pt/resellers?plan=12", "/checkout/pt-pt/resellers?plan=12"],
])("an address with the language in capitals, %s, leads to %s for good", async (typed, right) => {
  for (const method of ["GET", "HEAD"])
    expect(await request(typed, { method })).toMatchObject({ status: 301, headers: { location: right } })
})

test("a form sent to an address with the language in capitals is not redirected, and neither is one of no language", async () => {
  received = null
  expect((await request("/checkout/DE-de/", { method: "POST" })).status).toBe(200)
  expect(received).not.toBeNull()
  for (const path of ["/checkout/FR-fr", "/checkout/EN-en", "/checkout/Success"])
    expect((await request(path)).status).toBe(200)
})

test.each(["health", "live"])("a check of %s under localhost is answered, not redirected", async (check) => {
  handle = () => Response.json({ status: "ok" })
  const response = await request(`/checkout/api/${check}`, { headers: { host: "localhost:4999" } })
  expect(`${response.status} ${response.body}`).toBe('200 {"status":"ok"}')
})

test("a page's query that is longer than four thousand characters is dropped, and the API's is kept", async () => {
  const query = `promocode=${"X".repeat(5_000)}`
  const response = await request(`/checkout/de-de/?${query}`)
  expect(response).toMatchObject({ status: 302, headers: { location: "/checkout/de-de/" } })
  received = null
  expect((await request(`/checkout/api/order?${query}`)).status).toBe(200)
  expect(received).not.toBeNull()
  expect((await request(`/checkout/resellers?promocode=${"X".repeat(3_000)}`)).status).toBe(200)
})

test("an address that cannot be decoded is not found, without the router and its plain text in the log", async () => {
  received = null
  expect((await request("/checkout/%zz")).status).toBe(404)
  expect(received).toBeNull()
  expect((await request("/checkout/%7Eana")).status).toBe(200)
})

test("a 503 while billing asks to be left alone has its time in Retry-After", async () => {
  handle = () => new Response("no", { status: 503 })
  pausedFor = 1_200
  expect((await request("/checkout/resellers")).headers["retry-after"]).toBe("1200")
  pausedFor = null
})

test("a page that failed because billing asks to be left alone has its time in Retry-After", async () => {
  handle = (context) => {
    const error = new BillingError("unavailable", "busy", { retryAfterSeconds: 300 })
    recordError(error, context)
    return new Response("<p>Error</p>", { status: 500, headers: { "content-type": "text/html" } })
  }
  const { status, headers } = await request("/checkout/resellers", asBrowser)
  expect([status, headers["retry-after"]]).toEqual([503, "300"])
})

test("a 503 without Retry-After gets one, and another keeps its own", async () => {
  handle = () => new Response("no", { status: 503 })
  expect((await request("/checkout/resellers")).headers["retry-after"]).toBe("10")
  handle = () => new Response("no", { status: 503, headers: { "retry-after": "3" } })
  expect((await request("/checkout/resellers")).headers["retry-after"]).toBe("3")
  handle = () => new Response("ok")
})

test.each(["/checkout/", "/checkout/api/health"])("two Host headers get 400 at %s", async (path) => {
  received = null
  const { port } = server.address() as AddressInfo
  const socket = connect(port, "127.0.0.1")
  socket.end(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:4999\r\nHost: evil.test\r\n\r\n`)
  const parts: Buffer[] = []
  for await (const part of socket) parts.push(part)
  expect(Buffer.concat(parts).toString()).toMatch(/^HTTP\/1\.1 400 /)
  expect(received).toBeNull()
})

test("the request URL has the public origin, whatever the Host header", async () => {
  await request("/checkout/waiting?x=1", { headers: { host: "evil.test" } })
  expect(received?.request.url).toBe("http://127.0.0.1:4999/checkout/waiting?x=1")
})

test("an error before any page fails one request with 500 and a log line, and the server goes on", async () => {
  lines.length = 0
  const served = Object.getOwnPropertyDescriptor(shop, "logo")
  const failure = new Error("no logo")
  Object.defineProperty(shop, "logo", {
    configurable: true,
    get: () => {
      throw failure
    },
  })
  const failed = await request("/checkout/resellers")
  if (served) Object.defineProperty(shop, "logo", served)
  expect([failed.status, String(failed.body)]).toEqual([500, ""])
  expect(lines).toMatchObject([{ level: 50, msg: "request failed", err: { message: "no logo" } }])
  expect((await request("/checkout/resellers")).status).toBe(200)
})

test("passes a form's body on unchanged", async () => {
  await request("/checkout/resellers", { method: "POST", body: "intent=pay&plan=3" })
  expect(received).toMatchObject({ rejection: null, body: "intent=pay&plan=3" })
})

test.each([
  ["a body that is too large", "too-large", { body: "x".repeat(MAX_BODY_BYTES + 1) }],
  [
    "two megabytes in pieces",
    "too-large",
    { body: "x".repeat(2_000_000), headers: { "transfer-encoding": "chunked" } },
  ],
  [
    "a form from another site",
    "forbidden-origin",
    { body: "intent=pay", headers: { origin: "https://evil.test" } },
  ],
  ["a form with Origin null", "forbidden-origin", { body: "intent=pay", headers: { origin: "null" } }],
  [
    "a form with Sec-Fetch-Site cross-site",
    "forbidden-origin",
    { body: "intent=pay", headers: { "sec-fetch-site": "cross-site" } },
  ],
])("%s reaches the route as a rejection without a body", async (_, rejection, sent) => {
  await request("/checkout/resellers", { method: "POST", ...sent })
  expect(received).toMatchObject({ rejection, body: "" })
  expect(received?.request.method).toBe("GET")
})

test("accepts a same-origin form", async () => {
  await request("/checkout/resellers", {
    method: "POST",
    body: "intent=pay",
    headers: { origin: "http://127.0.0.1:4999" },
  })
  expect(received?.rejection).toBeNull()
})

test("logs one line for each request, with id and path and without the query", async () => {
  lines.length = 0
  const { headers } = await request("/checkout/?email=ana@example.test&signature=secret")
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    request: headers["x-request-id"],
    method: "GET",
    path: "/checkout/",
    status: 200,
  })
  expect(JSON.stringify(lines)).not.toMatch(/ana@example|secret/)
})

test("logs no line for the files of a page, of which it has a dozen", async () => {
  lines.length = 0
  handle = () => new Response("ok")
  await request("/checkout/assets/none-4f2a.js")
  await request("/checkout/resellers")
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ path: "/checkout/resellers" })
})

test("keeps several Set-Cookie headers apart", async () => {
  handle = () =>
    new Response("ok", {
      headers: [
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ],
    })
  expect((await request("/checkout/resellers")).headers["set-cookie"]).toEqual(["a=1", "b=2"])
})

const reader = { accept: "text/html", "user-agent": "Mozilla/5.0 Firefox/128.0" }
const own = "http://127.0.0.1:4999"
test.each([
  ["a person", {}, ["seen de-de"]],
  ["a person who comes from another page of the site", { referer: `${own}/plans` }, ["seen de-de"]],
  ["a person who changes the language", { referer: `${own}/checkout/es-es/` }, []],
  ["a bot", { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" }, []],
  ["a program without a name", { "user-agent": "" }, []],
  ["a browser that loads ahead", { "sec-purpose": "prefetch" }, []],
  ["a script of a page", { "sec-fetch-dest": "empty" }, []],
])(
  "%s who opens the checkout is counted by language, as %o says, rendered or cached",
  async (_, headers, steps) => {
    handle = () => new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } })
    counted.length = 0
    const sent = { headers: { ...reader, ...headers } }
    await request("/checkout/de-de", sent)
    expect(counted).toEqual(steps)
    await request("/checkout/de-de", sent)
    await request("/checkout/de-de/?pid=3", sent)
    await request("/checkout/de-de/waiting", sent)
    expect(counted).toEqual([...steps, ...steps, ...steps])
  },
)

test("no page that has failed is counted as seen", async () => {
  handle = () => new Response(page, { status: 503, headers: { "content-type": "text/html" } })
  counted.length = 0
  await request("/checkout/de-de/?pid=3", { headers: reader })
  expect(counted).toEqual([])
})

type Sent = { method?: string; headers?: Record<string, string>; body?: string }
type ReceivedResponse = { status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }

/** node:http, because `fetch` would not send the headers these tests are about. */
function request(path: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<ReceivedResponse> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, path, method, headers, host: "127.0.0.1" }, (response) => {
      const parts: Buffer[] = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("end", () => {
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) })
      })
    })
    request.on("error", reject)
    request.end(body)
  })
}
