import { countryName } from "~/domain/customers/country"
import { defaultLocale } from "~/domain/locales"

/** "Morocco (MA)": the code is what an operator types to find it. */
export function countryText(code: string): string {
  const name = countryName(code, defaultLocale)
  return name === code ? code : `${name} (${code})`
}
