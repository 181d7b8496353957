import type { Business, NumberAnswer } from "~/domain/customers/business"
import type { BuyerPlace, Country } from "~/domain/customers/country"
import type { Currency } from "~/domain/money/money"
import type { PlanChangePolicy } from "~/domain/services/plan-change"
import type { PriceMode, TaxRules } from "~/domain/tax/tax"
import { TaxFile } from "~/domain/tax/tax-file"
import { germanTax } from "../../fixtures/tax-rules"
import { FRENCH } from "../../fixtures/vat-numbers"
import type { Sums } from "./money-of-purchases"

/** How a shop sells, and to whom first. */
export type KindOfShop = {
  /** Whether the catalogue's prices contain the tax. */
  readonly prices: PriceMode
  readonly planChange: PlanChangePolicy
  readonly first: "consumer" | "business"
  /** What the register of tax numbers answers at first. */
  readonly numberAnswer: NumberAnswer
}

/** A customer, as far as a shop knows them, with what they have sent and got back. */
export type Buyer = {
  readonly email: string
  readonly country: Country
  readonly currency: Currency
  place: BuyerPlace
  customerId: string | null
  readonly orderIds: string[]
  readonly sums: { -readonly [Name in keyof Sums]: Sums[Name] } & {
    readonly withoutEntry: Map<string, number>
  }
}

/** A French company, whose number is checked when it is stated. */
export const lumiere: Omit<Business, "check"> = {
  company: "Lumière SARL",
  address: ["1 rue de la Paix", "75002 Paris"],
  taxNumber: FRENCH,
}

/** A customer in France, who pays in euros, and one in the United Kingdom, who pays in pounds. */
export function buyersOf({ first, numberAnswer }: KindOfShop): readonly [Buyer, Buyer] {
  const check = { result: numberAnswer, at: 0, requestId: null }
  const french = first === "business" ? { business: { ...lumiere, check } } : {}
  return [
    { ...newBuyer("ana@example.test", "FR", "EUR"), place: { named: "FR", located: "FR", ...french } },
    newBuyer("ben@example.test", "GB", "GBP"),
  ]
}

function newBuyer(email: string, country: Country, currency: Currency): Buyer {
  const place = { named: country, located: country }
  const sums = { came: 0, back: 0, granted: 0, mayOwe: false, withoutEntry: new Map<string, number>() }
  return { email, country, currency, place, customerId: null, orderIds: [], sums }
}

/** A German seller with a registration in the United Kingdom. */
export function taxOf({ prices }: Pick<KindOfShop, "prices">): TaxRules {
  const british = { country: "GB", number: "GB123456789", from: "2020-01-01", until: null }
  const registrations = [...germanTax.registrations, british]
  return { ...germanTax, registrations, prices: { EUR: prices, GBP: prices } }
}

/** What the seller's file says: the tax is accounted for in zlotys, at rates that change. */
export const accountingInZlotys = TaxFile.parse({
  country: "DE",
  confirmedOn: "2026-11-01",
  accounting: {
    currency: "PLN",
    exchangeRates: [
      { base: "EUR", quote: "PLN", rate: "4.2534", from: "2026-11-01" },
      { base: "GBP", quote: "PLN", rate: "4.8876", from: "2026-11-01" },
      { base: "EUR", quote: "PLN", rate: "4.3101", from: "2026-12-03" },
      { base: "GBP", quote: "PLN", rate: "4.9013", from: "2026-12-03" },
    ],
  },
})

/** Rates of the countries in which the customers are, in basis points. */
const rates: Readonly<Record<Country, number>> = { FR: 2_000, GB: 2_000 }

/** What consumers of a country pay for a price of the catalogue. */
export function listedPrice(minor: number, prices: PriceMode, country: Country): number {
  const tax = prices === "exclusive" ? Math.floor((minor * (rates[country] ?? 0) + 5_000) / 10_000) : 0
  return minor + tax
}

/** What a business pays that owes the tax itself, of a price with tax. */
export function priceWithoutTax(minor: number, country: Country): number {
  const rate = rates[country] ?? 0
  return minor - Math.floor((2 * minor * rate + 10_000 + rate) / (2 * (10_000 + rate)))
}
