import { expect, test } from "vitest"
import { isSameOrigin } from "./same-origin.server"

const shop = "https://shop.test"

test.each([
  ["a form of the shop's own page", { origin: "https://shop.test" }],
  [
    "a form sent to the host that the page came from",
    { host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000" },
  ],
  ["a gateway without an Origin header", { host: "shop.test" }],
  ["a same-origin browser without an Origin header", { "sec-fetch-site": "same-origin" }],
])("accepts %s", (_, headers) => {
  expect(isSameOrigin(headers, shop)).toBe(true)
})

test("accepts a form by TLS in a shop whose PUBLIC_URL names none", () => {
  expect(isSameOrigin({ host: "shop.test", origin: "https://shop.test" }, "http://shop.test")).toBe(true)
})

test.each([
  ["another site", { host: "shop.test", origin: "https://evil.test" }],
  ["another port", { host: "shop.test", origin: "https://shop.test:8443" }],
  ["the same host without TLS", { host: "shop.test", origin: "http://shop.test" }],
  ["the shop's host without TLS, sent to another one", { host: "other.test", origin: "http://shop.test" }],
  ["a page with an opaque origin", { host: "shop.test", origin: "null" }],
  ["an invalid origin", { host: "shop.test", origin: "shop.test" }],
  ["another site that hides its origin", { "sec-fetch-site": "cross-site" }],
])("rejects a form from %s", (_, headers) => {
  expect(isSameOrigin(headers, shop)).toBe(false)
})
