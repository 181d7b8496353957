import type { Services } from "~/context/services.server"
import type { Country } from "~/domain/country"
import type { AuthenticatedCustomer } from "~/domain/customer"
import type { FraudVerdict } from "~/domain/fraud"

/** Whoever orders, as far as the fraud check looks at him. */
export type Orderer = {
  readonly address: string | null
  readonly country: Country
  /** The random name of his browser. */
  readonly browser: string | null
  /** Whom he orders as, and who he has proven to be. */
  readonly customerId: string | null
  readonly customer: AuthenticatedCustomer | null
}

/** What there is against an order by somebody; always fine where the operator does not want to know. */
export async function fraudVerdict(services: Services, orderer: Orderer): Promise<FraudVerdict> {
  const { billing, shop, now } = services
  if (!shop.fraudCheck) return { valid: true }
  const { address, country, browser, customerId, customer } = orderer
  const provenAccount = customer?.id === customerId && customer?.reach === "account"
  return billing.checkFraud({
    address,
    country,
    browser,
    customer: customerId === null ? null : { id: customerId, provenAccount },
    at: now(),
  })
}

/**
 * Why an order is held, to be written down together with it: looked at afterwards, what costs nothing or is covered by
 * credit would be the buyer's already. Null: there is nothing against it. The flag is the opposite of the verdict
 * (spec, section 4).
 */
export async function holdReason(services: Services, orderer: Orderer): Promise<string | null> {
  const verdict = await fraudVerdict(services, orderer)
  if (verdict.valid) return null
  services.log.warn({ reason: verdict.reason }, "order flagged as fraud")
  return verdict.reason
}
