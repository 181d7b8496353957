import type { Locale } from "../locales"
import type { Currency } from "../money/money"
import type { Business } from "./business"

/** ISO 3166-1 alpha-2 in upper case; `XX` if unknown (specification, Countries). */
export type Country = string

export const UNKNOWN_COUNTRY: Country = "XX"

/** Parses a country: anything but two letters is unknown, and so is Tor's `T1`. */
export function countryIn(text: unknown): Country {
  return typeof text === "string" && /^[A-Z]{2}$/.test(text) ? text : UNKNOWN_COUNTRY
}

/** GBP in the United Kingdom, otherwise the shop's currency `elsewhere` (specification, Countries). */
export function currencyIn(country: Country, elsewhere: Currency): Currency {
  return country === "GB" ? "GBP" : elsewhere
}

/**
 * Where a buyer is, and by what: `named` on the page, `located` by the address. Null: not known by it. Orders from before a field
 * have none.
 */
export type BuyerPlace = {
  readonly named: Country | null
  readonly located: Country | null
  /** The country that the buyer has confirmed, asked because the one named is not that of the address; absent: not asked. */
  readonly confirmed?: Country | undefined
  /** A region of that country with taxes of its own, which the buyer has chosen; absent or null: none. */
  readonly region?: string | null | undefined
  /** The business that buys; absent: a consumer. */
  readonly business?: Business | undefined
}

/** The two countries that a buyer has to choose from: the one named is not that of the address. Null: there is nothing to ask. */
export function countriesToConfirm({
  named,
  located,
  confirmed,
}: BuyerPlace): readonly [Country, Country] | null {
  if (named === null || located === null || named === located) return null
  return confirmed === named ? null : [named, located]
}

/** The country whose prices a buyer sees. */
export function buyerCountry({ named, located }: BuyerPlace): Country {
  return named ?? located ?? UNKNOWN_COUNTRY
}

/** Name of a country in a language; its code if the language has none. */
export function countryName(country: Country, { iso }: Pick<Locale, "iso">): string {
  return new Intl.DisplayNames(iso, { type: "region" }).of(country) ?? country
}
