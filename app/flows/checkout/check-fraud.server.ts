import type { Services } from "~/context/services.server"
import type { Country } from "~/domain/country"
import type { FraudVerdict } from "~/domain/fraud"

/** Where whoever orders is. */
export type Place = { readonly address: string | null; readonly country: Country }

/** What there is against an order from somewhere; always fine where the operator does not want to know. */
export async function fraudVerdict(services: Services, place: Place): Promise<FraudVerdict> {
  const { billing, shop, now } = services
  if (!shop.fraudCheck) return { valid: true }
  return billing.checkFraud({ ...place, at: now() })
}

/**
 * Why an order from somewhere is held, to be written down together with it: looked at afterwards, what costs nothing or
 * is covered by credit would be the buyer's already. Null: there is nothing against it. The flag is the opposite of the
 * verdict (spec, section 4).
 */
export async function holdReason(services: Services, place: Place): Promise<string | null> {
  const verdict = await fraudVerdict(services, place)
  if (verdict.valid) return null
  services.log.warn({ reason: verdict.reason }, "order held as suspicious")
  return verdict.reason
}
