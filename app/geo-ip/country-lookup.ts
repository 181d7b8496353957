import type { Country } from "~/domain/country"

/**
 * Where a visitor is. Never throws and never keeps a page waiting: at most 1.5 seconds, and `XX` when it is not
 * known by then, for addresses that are nowhere (private, reserved), and on any failure (spec, section 8).
 */
export type CountryLookup = (visit: Visit) => Promise<Country>

/** `address`: null when it is not known. `headers`: of the request, for those who are told by their CDN. */
export type Visit = { readonly address: string | null; readonly headers: Pick<Headers, "get"> }
