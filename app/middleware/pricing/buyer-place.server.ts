import { requestContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import type { Business } from "~/domain/customers/business"
import { type BuyerPlace, buyerCountry, type Country, UNKNOWN_COUNTRY } from "~/domain/customers/country"
import { countryOfTaxNumber } from "~/domain/tax/tax-number"
import { currentBusiness } from "~/flows/checkout/current-business.server"

type CountryAndPlace = {
  readonly country: Country
  /** By what the country is known; undefined in a shop that taxes nothing. */
  readonly buyer: BuyerPlace | undefined
}

/**
 * The country of a visitor: of their address, or in a shop that taxes by it the one that they have chosen, or that of the number
 * of the business which they have stated.
 */
export async function buyerPlaceOf(context: RouteContext, headers: Headers): Promise<CountryAndPlace> {
  const { shop, countryOf } = context.get(servicesContext)
  const { address } = context.get(requestContext)
  const country = await countryOf({ address, headers })
  if (shop.tax === null) return { country, buyer: undefined }
  const business = await businessOf(context)
  const { country: chosen = null, confirmedCountry: confirmed, region } = context.get(sessionContext)
  const named = chosen ?? (business ? countryOfTaxNumber(business.taxNumber) : null)
  const buyer = {
    named,
    located: country === UNKNOWN_COUNTRY ? null : country,
    ...(region !== undefined && { region }),
    ...(confirmed !== undefined && confirmed === named && { confirmed }),
    ...(business && { business }),
  }
  return { country: buyerCountry(buyer), buyer }
}

/** The business that a visitor buys for: stated in this browser, or kept with the account that they are signed in to. */
async function businessOf(context: RouteContext): Promise<Business | null> {
  const services = context.get(servicesContext)
  const { business: stated, customer } = context.get(sessionContext)
  if (stated) {
    const business = await currentBusiness(services, stated)
    if (business !== stated) updateSession(context, { business })
    return business
  }
  const kept = customer?.reach === "account" ? await services.billing.businessOf(customer.id) : null
  return kept && currentBusiness(services, kept)
}
