import { RouterContextProvider } from "react-router"
import { afterAll, beforeAll, expect, test } from "vitest"
import { servicesContext } from "~/context/services.server"
import type { Analytics } from "~/domain/shop/analytics"
import { openTestShop, type TestShop } from "../../tests/fixtures/test-shop"
import { analyticsIsolation } from "./analytics-isolation.server"

let opened: TestShop
beforeAll(async () => {
  opened = await openTestShop()
})
afterAll(() => opened.billing.close())

const counter = { src: "https://count.example/a.js", data: {} }
const first = { referer: "https://shop.test/checkout/de-de?promocode=X" }

test.each([
  ["the review step", "/checkout/creatingOrder"],
  ["the credentials", "/checkout/success"],
  ["the sign-in screen", "/checkout/?signin"],
])("from a tracked page, %s is a full page load", async (_, address) => {
  const response = await visit(address, first)
  expect(response?.headers.get("location")).toBe(address)
  expect(response?.headers.get("x-remix-reload-document")).toBe("true")
})

test.each<[string, Record<string, string>]>([
  ["a missing Referer", {}],
  ["a Referer that is no address", { referer: "about" }],
])("%s counts as a tracked page", async (_, headers) => {
  expect((await visit("/checkout/success", headers))?.status).toBe(302)
})

test("lets a form through, whose answer leads to another page anyway", async () => {
  expect(await visit("/checkout/success", first, { method: "POST" })).toBeNull()
})

test.each([
  ["from a page without a counter", "/checkout/success", { referer: "https://shop.test/checkout/waiting" }],
  ["on the counted page itself", "/checkout/", first],
])("forces no full page load %s", async (_, address, headers) => {
  expect(await visit(address, headers)).toBeNull()
})

test("lets a document request through", async () => {
  expect(await visit("/checkout/success", first, { suffix: "" })).toBeNull()
})

test("without analytics forces no full page load", async () => {
  expect(await visit("/checkout/success", first, { analytics: null })).toBeNull()
})

type Changes = { suffix?: string; analytics?: Analytics | null; method?: "GET" | "POST" }

/** The guard's response; null when it lets the request through. */
async function visit(
  address: string,
  headers: Record<string, string>,
  { suffix = ".data", analytics = counter, method = "GET" }: Changes = {},
): Promise<Response | null> {
  const url = new URL(address, "https://shop.test")
  const request = new Request(`${url.origin}${url.pathname}${suffix}${url.search}`, { method, headers })
  const context = new RouterContextProvider()
  const { services } = opened
  context.set(servicesContext, { ...services, shop: { ...services.shop, analytics } })
  try {
    await analyticsIsolation({ request, url, context, params: {}, pattern: "" }, async () => new Response())
    return null
  } catch (thrown) {
    if (thrown instanceof Response) return thrown
    throw thrown
  }
}
