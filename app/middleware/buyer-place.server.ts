import type { RouterContextProvider } from "react-router"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { type BuyerPlace, buyerCountry, type Country, UNKNOWN_COUNTRY } from "~/domain/country"

type Buyer = {
  readonly country: Country
  /** By what the country is known; undefined in a shop that taxes nothing. */
  readonly buyer: BuyerPlace | undefined
}

/** The country of a visitor: of their address, or the one that they have chosen in a shop that taxes by it. */
export async function buyerOf(context: Readonly<RouterContextProvider>, headers: Headers): Promise<Buyer> {
  const { shop, countryOf } = context.get(servicesContext)
  const { address } = context.get(requestContext)
  const country = await countryOf({ address, headers })
  if (shop.tax === null) return { country, buyer: undefined }
  const { country: named = null, region } = context.get(sessionContext)
  const located = country === UNKNOWN_COUNTRY ? null : country
  const buyer = region === undefined ? { named, located } : { named, located, region }
  return { country: buyerCountry(buyer), buyer }
}
