import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { fraudVerdict } from "~/flows/checkout/check-fraud.server"
import type { ApiCall } from "./ownership"

/** Whether orders from an IP address are accepted (billing API: checkFraud). */
export async function checkFraud(
  { services }: ApiCall,
  { ip }: RequestOf<"checkFraud">,
): Promise<ResponseOf<"checkFraud">> {
  const country = await services.countryOf({ address: ip, headers: new Headers() })
  const { valid } = await fraudVerdict(services, {
    address: ip,
    country,
    browser: null,
    customerId: null,
    customer: null,
  })
  return { valid }
}
