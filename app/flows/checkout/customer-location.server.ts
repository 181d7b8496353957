import type { Services } from "~/context/services.server"
import { type Country, UNKNOWN_COUNTRY } from "~/domain/country"

/** Country and address recorded for a customer; the operator's defaults replace unknown values (spec, section 9). */
export function customerLocation(
  { shop, pricingContext }: Services,
  address: string | null,
): { country: Country; address: string } {
  const country = pricingContext.country === UNKNOWN_COUNTRY ? shop.defaultCountry : pricingContext.country
  return { country, address: address ?? shop.fallbackAddress }
}
