import type { Services } from "~/context/services.server"
import type { AuthenticatedCustomer } from "~/domain/customer"
import { least, type Money, money } from "~/domain/money"
import type { CreditScope } from "~/domain/order"

/** Who asks: the order in his browser's hand, and who he has proven to be. */
type Visitor = { readonly orderId: string | null; readonly customer: AuthenticatedCustomer | null }

/**
 * What of a customer's account credit a visitor may use: all of it when the account is proven to be his, and otherwise
 * what the order in his browser has brought, so that nobody spends a stranger's money by typing his e-mail. How much
 * that still is, and whether the order is this customer's, the books know when they spend it.
 */
export function creditScope({ orderId, customer }: Visitor, customerId: string): CreditScope {
  if (customer?.id === customerId && customer.reach === "account") return "account"
  return orderId === null ? "none" : `order ${orderId}`
}

/** What of a total credit will pay when the visitor orders it under an e-mail. */
export async function usableCredit(
  services: Services,
  visitor: Visitor,
  { email, total }: { email: string; total: Money },
): Promise<Money> {
  const customer = await services.billing.customerOf(email)
  const scope = customer ? creditScope(visitor, customer.id) : "none"
  if (!customer || scope === "none") return money(0, total.currency)
  return least(await services.payments.credit(customer.id, total.currency, scope), total)
}
