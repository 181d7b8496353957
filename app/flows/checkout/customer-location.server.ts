import type { Services } from "~/context/services.server"
import { type Country, UNKNOWN_COUNTRY } from "~/domain/country"

/** Where a customer is written down to be: what the operator has decided stands in for what nobody knows. */
export function customerLocation(
  { shop, pricingContext }: Services,
  address: string | null,
): { country: Country; address: string } {
  const country = pricingContext.country === UNKNOWN_COUNTRY ? shop.defaultCountry : pricingContext.country
  return { country, address: address ?? shop.fallbackAddress }
}
