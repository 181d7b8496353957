import { RouterContextProvider } from "react-router"
import { afterEach, beforeEach, expect, test } from "vitest"
import { pricingContext } from "~/context/pricing.server"
import { servicesContext } from "~/context/services.server"
import { emptySession, sessionContext } from "~/context/session.server"
import { pricing } from "~/middleware/pricing/pricing.server"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import * as resellers from "../resellers/resellers"
import * as checkout from "./checkout"
import * as creatingOrder from "./creating-order"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

/** Pages that show or agree to a price. */
const pages = { checkout, resellers, creatingOrder }

/** Loads a page of a visitor who has chosen a plan; `currency`: the pricing context, null without one. */
async function load(page: keyof typeof pages, currency: "EUR" | "GBP" | null): Promise<unknown> {
  const context = new RouterContextProvider()
  const draft = { key: "draft-1", total: 1 }
  context.set(servicesContext, shop.services)
  context.set(sessionContext, { ...emptySession, choices: choice, draft })
  if (currency) context.set(pricingContext, { country: "GB", currency })
  const url = new URL("https://shop.test/checkout/")
  const visit = { request: new Request(url), url, pattern: "/:locale?", params: {}, context }
  const { loader } = pages[page] as { loader: (visit: unknown) => Promise<unknown> }
  return loader(visit)
}

const currenciesIn = (loaded: unknown) =>
  new Set([...JSON.stringify(loaded).matchAll(/"currency":"(\w+)"/g)].map(([, currency]) => currency))

test.each(Object.keys(pages) as (keyof typeof pages)[])(
  "%s is priced in the currency of its pricing context, and fails without one",
  async (page) => {
    expect(currenciesIn(await load(page, "GBP"))).toEqual(new Set(["GBP"]))
    expect(currenciesIn(await load(page, "EUR"))).toEqual(new Set(["EUR"]))
    await expect(load(page, null)).rejects.toThrow("No value found for context")
  },
)

test.each(Object.entries(pages))("%s resolves its pricing context in its middleware", (_, page) => {
  expect(page.middleware).toContain(pricing)
})
