import type { Country } from "../customers/country"
import type { Declarations, SaleTerms } from "../orders/sale-terms"
import type { LocalizedText } from "./brand"

/** What the law of a country asks of a sale there, as the operator has set it. Everything is off by default. */
export type CountryLaw = {
  /** The button that orders says that ordering means paying. */
  readonly orderButton: boolean
  /** The buyer declares twice before an order that starts at once: consent, and what it does to the right to withdraw. */
  readonly startAtOnce: boolean
  /** Days in which the buyer may withdraw on a page of the shop; null: the shop has no such page for this country. */
  readonly withdrawalDays: number | null
}

/** The operator's own words by language, in place of the shop's drafts. */
export type LawWords = {
  readonly orderButton: LocalizedText
  readonly consent: LocalizedText
  readonly acknowledgement: LocalizedText
}

export type LawByCountry = {
  readonly countries: Readonly<Record<Country, CountryLaw>>
  readonly words: LawWords
}

export const noLaw: LawByCountry = {
  countries: {},
  words: { orderButton: {}, consent: {}, acknowledgement: {} },
}

const nothing: CountryLaw = { orderButton: false, startAtOnce: false, withdrawalDays: null }

/** The rules for a sale to a country; those of an unknown one are off. */
export function lawOf({ countries }: LawByCountry, country: Country): CountryLaw {
  return Object.hasOwn(countries, country) ? (countries[country] ?? nothing) : nothing
}

/** The terms to keep with an order; null if the country asks for nothing. */
export function saleTermsOf(
  law: LawByCountry,
  country: Country,
  declarations: Declarations | null,
): SaleTerms | null {
  const { withdrawalDays } = lawOf(law, country)
  return withdrawalDays === null && declarations === null ? null : { country, withdrawalDays, declarations }
}

/** Whether buyers from any country may withdraw on the shop's page. */
export function offersWithdrawal({ countries }: LawByCountry): boolean {
  return Object.values(countries).some(({ withdrawalDays }) => withdrawalDays !== null)
}
