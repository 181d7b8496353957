import type { Services } from "~/context/services.server"
import type { Proven } from "~/domain/customer"
import { least, type Money, money } from "~/domain/money"

/** Who asks: the order in his browser's hand, and who he has proven to be. */
type Visitor = { readonly orderId: string | null; readonly customer: Proven | null }

/**
 * How much of a customer's credit a visitor may use at most, in minor units: all of it when the account is his, and
 * otherwise what the order in his hand has brought, so that nobody spends a stranger's money by typing his e-mail.
 */
export async function creditMost(
  { billing }: Services,
  { orderId, customer }: Visitor,
  customerId: string,
): Promise<number> {
  if (customer?.id === customerId && customer.reach === "account") return Number.MAX_SAFE_INTEGER
  const order = orderId ? await billing.order(orderId) : null
  return order?.customerId === customerId ? Math.max(0, order.credited.minor) : 0
}

/** What of a total credit will pay when the visitor orders it under an e-mail. */
export async function usableCredit(
  services: Services,
  visitor: Visitor,
  { email, total }: { email: string; total: Money },
): Promise<Money> {
  const customer = await services.billing.customerOf(email)
  const most = customer ? await creditMost(services, visitor, customer.id) : 0
  if (!customer || most === 0) return money(0, total.currency)
  const held = await services.till.credit(customer.id, total.currency)
  return least(least(held, total), money(most, total.currency))
}
