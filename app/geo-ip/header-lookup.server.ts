import { countryIn } from "~/domain/country"
import type { CountryLookup } from "./country-lookup"

/**
 * The country as the shop's CDN tells it in a request header, such as Cloudflare's `cf-ipcountry`. Only for shops
 * that nobody reaches but through that CDN: a visitor could write the header himself.
 */
export function headerCountry(name: string): CountryLookup {
  return async ({ headers }) => countryIn(headers.get(name))
}
