import type { Customers } from "~/billing/customers/customers"
import type { Services } from "~/context/services.server"
import type { BuyerPlace } from "~/domain/customers/country"
import { countryOfTaxNumber } from "~/domain/tax/tax-number"
import { currentBusiness } from "./current-business.server"

type Knowing = Pick<Services, "now" | "vatNumbers"> & {
  readonly billing: Pick<Customers, "businessOf">
  readonly shop: Pick<Services["shop"], "tax">
}

/**
 * Where a customer is who orders something for a service: a business is where its number for tax is from, whatever address the
 * request came from. `visitor`: where the request came from. Undefined in a shop that taxes nothing, and where nothing is known.
 */
export async function buyerPlaceOfCustomer(
  services: Knowing,
  customerId: string,
  visitor?: BuyerPlace | undefined,
): Promise<BuyerPlace | undefined> {
  if (services.shop.tax === null) return undefined
  const kept = await services.billing.businessOf(customerId)
  if (kept === null) return visitor && { named: visitor.named, located: visitor.located }
  const business = await currentBusiness(services, kept)
  const located = visitor?.located ?? null
  return { named: countryOfTaxNumber(business.taxNumber), located, business }
}
