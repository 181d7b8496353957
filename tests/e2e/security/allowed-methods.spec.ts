import { expect } from "playwright/test"
import { rawRequest } from "../../support/http/raw-request"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]

for (const [path, allow] of [
  ["/api/payments/offshore/callback", "POST"],
  ["/aff/new_click", "POST"],
  ["/api/health", "GET, HEAD"],
  ["/api/live", "GET, HEAD"],
  ["/api/order-status", "GET, HEAD"],
  ["/api/purchase-step", "POST"],
  ["/manifest.webmanifest", "GET, HEAD"],
  ["/success/playlist.m3u8", "GET, HEAD"],
  ["/", "GET, HEAD, POST"],
  ["/de-de", "GET, HEAD, POST"],
  ["/creatingOrder", "GET, HEAD, POST"],
  ["/waiting", "GET, HEAD, POST"],
  ["/success", "GET, HEAD, POST"],
  ["/success.data", "GET, HEAD, POST"],
  ["/upsell", "GET, HEAD, POST"],
  ["/renew", "GET, HEAD, POST"],
  ["/withdraw", "GET, HEAD, POST"],
  ["/nl-nl/resellers", "GET, HEAD, POST"],
  ["/no-such-page", "GET, HEAD, POST"],
] as const) {
  test(`${path} allows ${allow} only, and answers other methods with 405 and an Allow header`, async () => {
    const allowed = allow.split(", ")
    for (const method of methods) {
      const { status, headers } = await rawRequest(shop.url, `/checkout${path}`, { method })
      const isAllowed = allowed.includes(method)
      expect({ method, isAllowed: status !== 405, allow: headers.allow }).toEqual({
        method,
        isAllowed,
        allow: isAllowed ? undefined : allow,
      })
    }
  })
}

test("a form sent to a page without one gets 405, and no page that says that the shop has failed", async () => {
  const sent = { method: "POST", headers: { accept: "text/html" } }
  const { status, headers, body } = await rawRequest(shop.url, "/checkout/offline", sent)
  expect({ status, allow: headers.allow, body }).toEqual({ status: 405, allow: "GET, HEAD", body: "" })
})

test("no method is an error in the log", async () => {
  const before = shop.logLines().length
  for (const method of methods) await rawRequest(shop.url, "/checkout/", { method })
  const since = () => shop.logLines().slice(before)
  await expect.poll(() => since().filter(({ method }) => method === "PROPFIND").length).toBe(1)
  expect(since().filter(({ err }) => err !== undefined)).toEqual([])
})
