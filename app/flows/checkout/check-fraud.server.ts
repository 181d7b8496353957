import type { PurchasePorts } from "~/billing/orders/purchase-transaction"
import type { LoggedServices, Services } from "~/context/services.server"
import type { Country } from "~/domain/customers/country"
import { type AuthenticatedCustomer, ownsAccount } from "~/domain/customers/customer"
import type { FraudVerdict } from "~/domain/orders/fraud"

/** Input of the fraud check. */
export type Orderer = {
  readonly address: string | null
  readonly country: Country
  /** Browser id. */
  readonly browser: string | null
  /** Customer of the order, and whether the session is authenticated for it. */
  readonly customerId: string | null
  readonly customer: AuthenticatedCustomer | null
}

/**
 * Fraud verdict for an order. Always passes if the operator switched the check off. It is stored in the same transaction as the
 * order: checked afterwards, a free or credit-covered order would be provisioned already. The fraud flag is the negated verdict
 * (specification, Orders).
 */
export async function fraudVerdict(
  services: Pick<Services, "shop" | "now"> & { readonly billing: Pick<Services["billing"], "checkFraud"> },
  orderer: Orderer,
): Promise<FraudVerdict> {
  const { billing, shop, now } = services
  if (!shop.fraudCheck) return { valid: true }
  const { address, country, browser, customerId, customer } = orderer
  return billing.checkFraud({
    address,
    country,
    browser,
    customer:
      customerId === null
        ? null
        : { id: customerId, authenticatedAccount: ownsAccount(customer, { customerId }) },
    at: now(),
  })
}

/**
 * What external billing says of the address of an order, before it makes a customer. Passes without an address, if there is nothing
 * to ask, or if the operator switched the check off.
 */
export async function addressVerdict(
  { shop }: Pick<Services, "shop">,
  { checkAddress }: Pick<PurchasePorts, "checkAddress">,
  address: string | null,
): Promise<FraudVerdict> {
  if (!shop.fraudCheck || address === null || !checkAddress) return { valid: true }
  return checkAddress(address)
}

/** Why an order of a customer is put on hold, or null: see `fraudVerdict`. */
export async function holdReason(
  services: LoggedServices,
  { address, country, browser, customer }: Omit<Orderer, "customerId">,
  customerId: string,
): Promise<string | null> {
  const verdict = await fraudVerdict(services, { address, country, browser, customer, customerId })
  if (verdict.valid) return null
  services.log.warn({ reason: verdict.reason }, "order flagged as fraud")
  return verdict.reason
}
