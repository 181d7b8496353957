import { countryIn } from "~/domain/customers/country"
import type { CountryLookup } from "./country-lookup"

/**
 * Country from a request header of the shop's CDN, such as Cloudflare's `cf-ipcountry`. Only for shops that are reachable
 * through that CDN alone: otherwise a visitor could set the header. In any case: some CDNs write it in lower case.
 */
export function headerCountry(name: string): CountryLookup {
  return async ({ headers }) => countryIn(headers.get(name)?.toUpperCase())
}
