import type { Business } from "../customers/business"
import type { Country } from "../customers/country"

/** Prefixes of numbers for tax that are not the country's code: Greece, and Northern Ireland, whose services are British. */
const prefixes: Readonly<Record<string, Country>> = { EL: "GR", XI: "GB" }

/** The country of a number for tax, by its prefix. */
export function countryOfTaxNumber(taxNumber: string): Country {
  const prefix = taxNumber.slice(0, 2)
  return prefixes[prefix] ?? prefix
}

/** Whether a buyer in a country is a business for its tax: a service has confirmed its number, which is of that country. */
export function isConfirmedBusiness(business: Business | undefined, country: Country): boolean {
  if (business?.check.result !== "valid") return false
  return countryOfTaxNumber(business.taxNumber) === country
}
