import type { Said, Told } from "~/billing-api/contract/endpoints"
import { fraudVerdict } from "~/flows/checkout/check-fraud.server"
import type { Api } from "./ownership"

/** Whether there is nothing against orders from an address (spec: checkFraud). */
export async function checkFraud({ services }: Api, { ip }: Said<"checkFraud">): Promise<Told<"checkFraud">> {
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
