import type { Services } from "~/context/services.server"
import { type Country, UNKNOWN_COUNTRY } from "~/domain/customers/country"

/** Country and address recorded for a customer; the operator's defaults replace unknown values (specification, Countries). */
export function customerLocation(
  { shop }: Pick<Services, "shop">,
  { country, address }: { country: Country; address: string | null },
): { country: Country; address: string } {
  return {
    country: country === UNKNOWN_COUNTRY ? shop.defaultCountry : country,
    address: address ?? shop.fallbackAddress,
  }
}
