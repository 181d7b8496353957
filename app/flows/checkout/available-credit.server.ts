import type { Services } from "~/context/services.server"
import { type AuthenticatedCustomer, ownsAccount } from "~/domain/customers/customer"
import { type Currency, type Money, min, money } from "~/domain/money/money"
import { type AccountCreditScope, creditUsedBy, type Order } from "~/domain/orders/order"
import { payableStatuses } from "~/domain/orders/order-status"

/** What of a session decides whose account credit it may use: its current order, and the customer that it is signed in as. */
export type CreditIdentity = {
  readonly orderId: string | null
  readonly customer: AuthenticatedCustomer | null
}

/**
 * Which part of a customer's account credit a visitor may use: all of it when authenticated for the whole account,
 * otherwise only credit from the session's order, so that typing an e-mail gives no access to another customer's money.
 * The billing engine checks amount and ownership when the credit is used.
 */
export function accountCreditScope(
  { orderId, customer }: CreditIdentity,
  customerId: string,
): AccountCreditScope {
  if (ownsAccount(customer, { customerId })) return "account"
  return orderId === null ? "none" : `order ${orderId}`
}

/** Account credit of a customer that a visitor may use: see `accountCreditScope`. */
export async function visitorsAccountCredit(
  { payments }: Pick<Services, "payments">,
  visitor: CreditIdentity,
  { customerId, currency }: { customerId: string; currency: Currency },
): Promise<Money> {
  const scope = accountCreditScope(visitor, customerId)
  // Named like this it is read once with what else the page says of the account's credit.
  if (scope === "account") return payments.accountCredit(customerId, currency)
  return scope === "none" ? money(0, currency) : payments.accountCredit(customerId, currency, scope)
}

/** The part of a total that account credit will pay for an order under an e-mail. */
export async function usableAccountCredit(
  services: Pick<Services, "billing" | "payments">,
  visitor: CreditIdentity,
  { email, total }: { email: string; total: Money },
): Promise<Money> {
  // Neither signed in nor with an order: no customer's credit is this visitor's.
  const mayOwn = visitor.customer !== null || visitor.orderId !== null
  const customer = mayOwn ? await services.billing.customerOf(email) : null
  const scope = customer ? accountCreditScope(visitor, customer.id) : "none"
  if (!customer || scope === "none") return money(0, total.currency)
  return min(await services.payments.accountCredit(customer.id, total.currency, scope), total)
}

/** Whether account credit will pay all of a purchase under an e-mail, so that no gateway is asked for anything. */
export async function creditCoversPurchase(
  services: Pick<Services, "billing" | "payments">,
  visitor: CreditIdentity,
  order: { email: string; total: Money },
): Promise<boolean> {
  return (await usableAccountCredit(services, visitor, order)).minor >= order.total.minor
}

/** Whether account credit will pay all of an order for a service, so that no gateway is asked for anything. */
export async function creditCoversServiceOrder(
  { payments }: Pick<Services, "payments">,
  visitor: CreditIdentity,
  { customerId, total }: { customerId: string; total: Money },
): Promise<boolean> {
  const scope = accountCreditScope(visitor, customerId)
  return total.minor <= (await payments.accountCredit(customerId, total.currency, scope)).minor
}

/** Whether an order asks for more than its form said, since it has used less account credit than that showed, in minor units. */
export function asksMore(order: Order, shown: number): boolean {
  const { status, total } = order
  return payableStatuses.includes(status) && creditUsedBy(order).minor < Math.min(shown, total.minor)
}
