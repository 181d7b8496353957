import type { CustomerDetails } from "~/billing/customers/customer-admin"
import type { ConsoleServices } from "~/context/services.server"
import { isErased } from "~/domain/customers/email"
import type { CustomerShop, CustomerState } from "~/domain/operators/customer-actions"
import { emailShownTo, type OperatorRole } from "~/domain/operators/operator"

/** A customer by the id; null for an unknown one. A viewer gets masked e-mails. */
export async function customerView(
  { console }: Pick<ConsoleServices, "console">,
  id: string,
  role: OperatorRole,
): Promise<CustomerDetails | null> {
  const details = await console.customers.customer(id)
  if (!details) return null
  const shown = (email: string) => emailShownTo(role, email)
  return {
    ...details,
    email: shown(details.email),
    formerEmails: details.formerEmails.map((it) => ({ ...it, email: shown(it.email) })),
    services: details.services.map((it) => ({ ...it, email: shown(it.email) })),
    orders: details.orders.map((it) => ({ ...it, email: shown(it.email) })),
    mails: details.mails.map((it) => ({ ...it, email: it.email && shown(it.email) })),
  }
}

/** What decides which actions a customer allows. */
export function stateOfCustomer({
  email,
  hasEmail,
  isProven,
  blocks,
}: Pick<CustomerDetails, "email" | "hasEmail" | "isProven" | "blocks">): CustomerState {
  return { hasEmail, isProven, isErased: isErased(email), isBlocked: blocks.length > 0 }
}

/** What the page of a customer offers: with external billing its customers are changed there. */
export function customerShopOf({
  hasExternalBilling,
  mailer,
}: Pick<ConsoleServices, "hasExternalBilling" | "mailer">): CustomerShop {
  return { hasExternalBilling, sendsMail: mailer !== null }
}

/** What an operator has seen of a customer: another text says that something has happened since. */
export function seenOfCustomer(customer: CustomerDetails): string {
  const { email, hasEmail, isProven, credit, creditMovements, blocks, orders, services } = customer
  const balances = credit.map(({ minor, currency }) => `${minor}${currency}`).toSorted()
  const counts = [creditMovements.length, blocks.length, orders.length, services.length]
  const address = hasEmail ? email : "had"
  return [address, isProven ? "proven" : "unproven", ...balances, ...counts].join(" ")
}
