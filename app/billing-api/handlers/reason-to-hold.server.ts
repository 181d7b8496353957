import type { RequestOf } from "~/billing-api/contract/endpoints"
import type { Services } from "~/context/services.server"
import { holdReason } from "~/flows/checkout/check-fraud.server"

/**
 * Why an order of the served API is held; null: it is not. A caller with a key has looked before it ordered
 * (checkFraud), and does not order what it holds.
 */
export async function reasonToHold(
  services: Services,
  { key, ip, userid }: RequestOf<"order">,
): Promise<string | null> {
  if (key !== undefined) return null
  return holdReason(services, {
    address: ip ?? null,
    country: services.pricingContext.country,
    browser: null,
    customerId: userid,
    customer: null,
  })
}
