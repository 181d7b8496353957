import type { LoggedServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"
import type { NamedOrder } from "~/domain/forms/withdrawal-form"
import type { Order } from "~/domain/orders/order"
import { withdrawalEnd } from "~/domain/orders/withdrawal-period"
import { loggedLimit, type RateLimitSubject } from "~/security/rate-limits.server"

/** How far the withdrawal from an order is. */
export type Withdrawal =
  | { readonly kind: "open"; readonly order: Order; readonly end: Instant }
  | { readonly kind: "withdrawn"; readonly order: Order; readonly at: Instant }
  | { readonly kind: "over"; readonly order: Order; readonly end: Instant }

export type WithdrawalSearch =
  | Withdrawal
  /** No such order, another e-mail, or a sale without days of withdrawal: the answer does not tell which. */
  | { readonly kind: "unknown" }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }

type WithdrawalServices = Pick<LoggedServices, "billing" | "shop" | "now">

/** Finds an order by its number and e-mail, both typed by a visitor. */
export async function searchWithdrawal(
  services: WithdrawalServices & Pick<LoggedServices, "rateLimits" | "log">,
  { order: orderId, email }: NamedOrder,
  who: RateLimitSubject,
): Promise<WithdrawalSearch> {
  const about = { limit: "withdrawal", address: who.address }
  const tried = await loggedLimit(services.log, about, services.rateLimits.emailCheck(who))
  if (!tried.ok) return { kind: "too-many", retryAfterSeconds: tried.retryAfterSeconds }
  const order = await services.billing.order(orderId)
  // Nothing more is read for either: the time of the answer does not tell which numbers exist.
  if (!order || normalizeEmail(order.email) !== normalizeEmail(email)) return { kind: "unknown" }
  return (await withdrawalOf(services, order)) ?? { kind: "unknown" }
}

/** The withdrawal from an order; null if its sale has no days of withdrawal. */
export async function withdrawalOf(
  { billing, shop, now }: WithdrawalServices,
  order: Order,
): Promise<Withdrawal | null> {
  const end = withdrawalEnd(order, shop.timeZone)
  if (end === null) return null
  const withdrawn = (await billing.timeline(order.id)).find(({ kind }) => kind === "withdrawn")
  if (withdrawn) return { kind: "withdrawn", order, at: withdrawn.at }
  return { kind: now() <= end ? "open" : "over", order, end }
}

/**
 * Withdraws from an order within its days; once it is withdrawn or they are over, nothing changes. The operator decides about
 * the service and the money.
 */
export async function withdraw(
  services: WithdrawalServices & Pick<LoggedServices, "wakeJobs">,
  orderId: string,
): Promise<void> {
  const order = await services.billing.order(orderId)
  const withdrawal = order && (await withdrawalOf(services, order))
  if (withdrawal?.kind !== "open") return
  await services.billing.recordWithdrawal(orderId, services.now())
  services.wakeJobs()
}
