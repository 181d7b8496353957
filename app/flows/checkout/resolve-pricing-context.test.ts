import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import type { Currency } from "~/domain/money/money"
import { resolvePricingContext } from "./resolve-pricing-context.server"

/** A shop that keeps its books in euros, and sells in these currencies. */
function selling(...currencies: readonly Currency[]) {
  const pricing = Object.fromEntries(currencies.map((currency) => [currency, {}]))
  return { shop: { currency: "EUR" as const }, catalogue: { plans: async () => [{ pricing }] } }
}

const visitor = { country: "ES", chosen: null, customers: null } as const

test.each<[string, object, Currency]>([
  ["of their country", { country: "GB" }, "GBP"],
  ["of the shop, from a country with another one", { country: "JP" }, "EUR"],
  ["of their account, wherever they are", { country: "GB", customers: "USD" }, "USD"],
  ["that they have chosen before that of their account", { customers: "USD", chosen: "GBP" }, "GBP"],
])("a visitor sees prices in the currency %s", async (_, changes, currency) => {
  const found = await resolvePricingContext(selling("EUR", "GBP", "USD"), { ...visitor, ...changes })
  expect(found).toEqual({ country: { ...visitor, ...changes }.country, currency })
})

test("who pays in one currency only sees that one, whatever they have chosen, and is told so", async () => {
  const customer = { ...visitor, customers: "USD", chosen: "GBP", hasSingleCurrency: true } as const
  expect(await resolvePricingContext(selling("EUR", "GBP", "USD"), customer)).toEqual({
    country: "ES",
    currency: "USD",
    isOnlyCurrency: true,
  })
})

test("a currency in which nothing is sold gives way to the shop's own, also that of an account", async () => {
  expect(await resolvePricingContext(selling("EUR"), { ...visitor, country: "GB" })).toMatchObject({
    currency: "EUR",
  })
  const customer = { ...visitor, customers: "USD", hasSingleCurrency: true } as const
  expect(await resolvePricingContext(selling("EUR"), customer)).toEqual({ country: "ES", currency: "EUR" })
})

test("while the catalogue cannot be read, the visitor keeps their currency, and another failure is no such case", async () => {
  const failing = (error: Error) => ({ ...selling(), catalogue: { plans: () => Promise.reject(error) } })
  const british = { ...visitor, country: "GB" } as const
  const away = failing(new BillingError("unavailable", "away"))
  expect(await resolvePricingContext(away, british)).toMatchObject({ currency: "GBP" })
  await expect(resolvePricingContext(failing(new Error("mistake")), british)).rejects.toThrow("mistake")
})

test("the shop's own currency needs no look at the catalogue", async () => {
  const shop = { ...selling(), catalogue: { plans: () => Promise.reject(new Error("looked")) } }
  expect(await resolvePricingContext(shop, visitor)).toMatchObject({ currency: "EUR" })
})
