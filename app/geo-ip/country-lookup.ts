import type { Country } from "~/domain/customers/country"

/**
 * Country of a visitor. Never throws and takes at most 1.5 seconds. `XX` after that time, for private and reserved
 * addresses, and on any failure (specification, Countries).
 */
export type CountryLookup = (visit: Visit) => Promise<Country>

/** `address`: null if unknown. `headers`: of the request, for shops behind a CDN that sends the country. */
export type Visit = { readonly address: string | null; readonly headers: Pick<Headers, "get"> }
