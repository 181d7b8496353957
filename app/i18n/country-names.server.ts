import type { Country } from "~/domain/customers/country"
import { countryCodes } from "~/domain/customers/country-codes"
import type { Locale } from "~/domain/locales"

const named = new Map<string, readonly (readonly [Country, string])[]>()

/** All countries with their names, in the order of the language's alphabet. */
export function countriesIn({ iso }: Locale): readonly (readonly [Country, string])[] {
  const known = named.get(iso)
  if (known) return known
  const names = new Intl.DisplayNames(iso, { type: "region" })
  const { compare } = new Intl.Collator(iso)
  const countries = countryCodes
    .map((code) => [code, names.of(code) ?? code] as const)
    .toSorted(([, one], [, other]) => compare(one, other))
  named.set(iso, countries)
  return countries
}
