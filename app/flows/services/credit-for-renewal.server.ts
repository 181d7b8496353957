import type { LoggedServices } from "~/context/services.server"
import type { Money } from "~/domain/money/money"
import { missingCredit } from "~/domain/services/balance-renewal"
import type { Service } from "~/domain/services/service"
import { priceRenewals } from "~/flows/checkout/price-renewal.server"
import { pricedForCustomer } from "~/flows/checkout/priced-for.server"

/** What renewing a service from account credit at its end will cost, and what of that is missing now; zero if nothing is. */
export type CreditForRenewal = { readonly price: Money; readonly missing: Money }

/**
 * What a service costs that its customer has renewed from account credit, and what is missing of it. Null: the customer has not
 * consented, or it cannot be renewed. Throws `BillingError`.
 */
export async function creditForRenewal(
  services: Pick<LoggedServices, "billing" | "payments" | "shop" | "now" | "vatNumbers">,
  { id, customerId, currency, balanceRenewal }: Service,
): Promise<CreditForRenewal | null> {
  if (!balanceRenewal) return null
  const all = await services.billing.servicesOf({ id: customerId, reach: "account" })
  const candidates = all.filter((it) => it.balanceRenewal && it.currency === currency)
  const { billing: priceList } = pricedForCustomer(services, customerId)
  const others = await priceRenewals(services, priceList, { candidates })
  const own = others.find(({ service }) => service.id === id)
  if (!own) return null
  const credit = await services.payments.accountCredit(customerId, currency)
  return { price: own.unit, missing: missingCredit(own, { credit, others }) }
}
