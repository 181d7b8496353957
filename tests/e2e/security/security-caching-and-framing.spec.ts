import { connect } from "node:net"
import { expect } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { everyOf, resources, screens, tally } from "../../support/attacks/attack-inputs"
import { Browser } from "../../support/browser/no-script-browser"
import { type RawResponse, rawRequest } from "../../support/http/raw-request"
import { attackTest } from "../attack-test"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

/** Cache-Control of files that are the same for all clients. Responses that set a cookie must not have it. */
const sharedPages = /^public, max-age=(3600|31536000, immutable)$/
const forOne = /^(private, no-cache|private, no-store|no-store|no-cache)$/

/** Forbidden caching, MIME sniffing or framing that a response allows; null if none. */
function laxness(path: string, { headers }: RawResponse): string | null {
  const cached = headers["cache-control"] ?? "nothing said"
  const isCacheable = isFile(path) && !headers["set-cookie"] && sharedPages.test(cached)
  if (!isCacheable && !forOne.test(cached)) return `is cacheable, ${cached}`
  if (headers["x-content-type-options"] !== "nosniff") return "allows MIME sniffing"
  return frames(headers) ? "can be framed" : null
}

const isFile = (path: string) => /\.(svg|png|webmanifest|js)$/.test(path)

function frames(headers: RawResponse["headers"]): boolean {
  const policy = String(headers["content-security-policy"])
  const closed = policy.includes("frame-ancestors 'none'") && !policy.includes("unsafe")
  return !closed || headers["x-frame-options"] !== "DENY"
}

const odd = [
  "/",
  "/checkout",
  "/checkout/nothing/here",
  "/elsewhere",
  "//x",
  "/checkout/de-de",
  "/checkout/xx-xx",
]
const files = [
  "/checkout/favicon.svg",
  "/checkout/icon-192.png",
  "/checkout/sw.js",
  "/checkout/assets/none.js",
]
const data = ["/checkout/_root.data", "/checkout/success.data", "/checkout/__manifest?p=/x&version=x"]
const everything = [...screens, ...resources, ...odd, ...files, ...data]

attackTest("every response limits caching and forbids framing, for all methods and clients", async (pick) => {
  const { count, conclude } = tally("responses checked for caching and framing")
  const browser = new Browser()
  await waitForAccess(await payAt(await goToGateway(await chooseAndPay(browser, { shop }))))
  const cookie = browser.cookies(new URL(`${shop.url}/checkout/`)) ?? ""
  const visitors: Record<string, string>[] = [
    {},
    { cookie },
    { "accept-language": "de" },
    { origin: "https://evil.test" },
  ]
  const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
  for (const [path, headers, method] of pick(everyOf(everything, visitors, methods))) {
    const response = await rawRequest(shop.url, path, { method, headers })
    count(`${method} ${path} ${Object.keys(headers)}: ${response.status}`, laxness(path, response))
  }
  conclude()
})

test("responses with data of one client are private and no-store", async () => {
  const browser = new Browser()
  const paid = await waitForAccess(await payAt(await goToGateway(await chooseAndPay(browser, { shop }))))
  const cookie = browser.cookies(paid.url) ?? ""
  for (const path of [
    "/success",
    "/success/playlist.m3u8",
    "/waiting",
    "/creatingOrder",
    "/upsell",
    "/api/order-status",
  ]) {
    const { headers } = await rawRequest(shop.url, `/checkout${path}`, { headers: { cookie } })
    expect([path, headers["cache-control"]]).toEqual([path, "private, no-store"])
  }
})

test(
  "a hundred clients that never finish their requests are disconnected and do not block other clients",
  deep,
  async () => {
    const { port } = new URL(shop.url)
    const unfinished = [
      "GET /checkout/ HTTP/1.1\r\nhost: x\r\nx-a: ",
      "POST /checkout/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 60000\r\n\r\nplan=",
    ]
    // Milliseconds. A client has 30 seconds to send a body; a busy machine needs longer.
    test.setTimeout(400_000)
    const sockets = Array.from({ length: 100 }, (_, at) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(unfinished[at % 2] ?? ""))
      const dribble = setInterval(() => socket.write("1"), 500)
      const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()))
      socket.on("error", () => socket.destroy()).resume()
      return { ended: ended.finally(() => clearInterval(dribble)), close: () => socket.destroy() }
    })
    for (let nth = 0; nth < 20; nth++) {
      expect((await rawRequest(shop.url, "/checkout/")).status).toBe(200)
    }
    const began = performance.now()
    await Promise.all(sockets.map(({ ended }) => ended))
    const took = Math.round((performance.now() - began) / 1_000)
    process.stdout.write(`unfinished requests held: ${sockets.length}, all disconnected after ${took} s\n`)
  },
)
