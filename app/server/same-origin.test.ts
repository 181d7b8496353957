import { expect, test } from "vitest"
import { isSameOrigin } from "./same-origin.server"

const shop = "https://shop.test"

test.each([
  ["a form of the shop's own page", { origin: "https://shop.test" }],
  [
    "a form sent to the host that the page came from",
    { host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000" },
  ],
  ["a gateway, which is no browser", { host: "shop.test" }],
  ["a browser that sends no origin to its own site", { "sec-fetch-site": "same-origin" }],
])("%s passes", (_, headers) => {
  expect(isSameOrigin(headers, shop)).toBe(true)
})

test.each([
  ["another site", { host: "shop.test", origin: "https://evil.test" }],
  ["another port", { host: "shop.test", origin: "https://shop.test:8443" }],
  ["the same host without TLS", { host: "other.test", origin: "http://shop.test" }],
  ["a page without an origin of its own", { host: "shop.test", origin: "null" }],
  ["no address at all", { host: "shop.test", origin: "shop.test" }],
  ["another site that hides its origin", { "sec-fetch-site": "cross-site" }],
])("a form from %s is refused", (_, headers) => {
  expect(isSameOrigin(headers, shop)).toBe(false)
})
