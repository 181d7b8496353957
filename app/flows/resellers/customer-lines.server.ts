import type { Services } from "~/context/services.server"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import { hasEnded, inOrder } from "~/domain/services/line-list"
import type { Service } from "~/domain/services/service"

/** A reseller's services that are no reseller accounts; newest first. */
export type ResellerLines = {
  /** Plans that the reseller has bought for themselves. */
  readonly own: readonly Service[]
  /** Lines that were created for customers. */
  readonly lines: readonly Service[]
}

/** Tells a reseller's lines from the plans that they have bought for themselves. */
export async function splitPlans(
  { billing }: Pick<Services, "billing">,
  customerId: string,
  services: readonly Service[],
): Promise<ResellerLines> {
  const plans = services.filter(({ kind }) => kind === "plan")
  if (plans.length === 0) return { own: [], lines: [] }
  const bought = await billing.planOrdersOf(customerId)
  const isOwn = ({ orderId }: Service) => bought.has(orderId)
  return { own: plans.filter(isOwn), lines: plans.filter((plan) => !isOwn(plan)) }
}

/**
 * All lines of a reseller's customers in the reseller's access scope, in the order of the list. One that has ended before the end of
 * its paid time has none. Null for a customer without a reseller service.
 */
export async function customerLines(
  services: Pick<Services, "billing">,
  customer: AuthenticatedCustomer,
): Promise<readonly Service[] | null> {
  const { billing } = services
  const own = await billing.servicesOf(customer)
  if (!own.some(({ kind }) => kind === "reseller")) return null
  const { lines } = await splitPlans(services, customer.id, own)
  const ended = lines.filter(hasEnded).map(({ id }) => id)
  const endedEarly = await billing.linesEndedEarly(customer.id, ended)
  return inOrder(lines).map((line) => (endedEarly.has(line.id) ? { ...line, paidUntil: null } : line))
}
