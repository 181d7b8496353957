import { expect } from "playwright/test"
import { rawRequest } from "../../support/http/raw-request"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

for (const [path, allow] of [
  ["/api/payments/offshore/callback", "POST"],
  ["/aff/new_click", "POST"],
  ["/api/health", "GET, HEAD"],
  ["/api/live", "GET, HEAD"],
  ["/api/order-status", "GET, HEAD"],
  ["/api/purchase-step", "POST"],
  ["/api/openapi.json", "GET, HEAD"],
  ["/manifest.webmanifest", "GET, HEAD"],
  ["/success/playlist.m3u8", "GET, HEAD"],
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
