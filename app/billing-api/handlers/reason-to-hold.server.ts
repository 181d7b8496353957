import type { RequestOf } from "~/billing-api/contract/endpoints"
import type { LoggedServices } from "~/context/services.server"
import { countryIn } from "~/domain/customers/country"
import { holdReason } from "~/flows/checkout/check-fraud.server"

/**
 * Why an order through the API is put on hold; null if it is not. Callers that send an idempotency key have called
 * checkFraud themselves, so their orders are not checked again.
 */
export async function reasonToHold(
  services: LoggedServices,
  { key, ip, country, userid }: RequestOf<"order">,
): Promise<string | null> {
  if (key !== undefined) return null
  const orderer = {
    address: ip ?? null,
    country: countryIn(country?.toUpperCase()),
    browser: null,
    customer: null,
  }
  return holdReason(services, orderer, userid)
}
