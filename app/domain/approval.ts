import { DAY, type Instant } from "./calendar"
import type { Money } from "./money"

/** Actions that move money: above `APPROVE_ABOVE` a second operator confirms them. */
export const approvedActions = [
  "refund-order",
  "mark-order-paid",
  "grant-credit",
  "assign-payment",
  "credit-payment",
] as const
export type ApprovedAction = (typeof approvedActions)[number]

/** What was granted to a customer in this time counts, so that no grant is split to stay below the limit. */
export const GRANTS_OF = DAY

/** A request that nobody has decided on in this time is void: longer than a weekend. */
export const APPROVAL_PERIOD = 3 * DAY

/** Whether an amount needs a second operator; one in another currency than the limit always does. Null: no limit. */
export function needsApproval(amount: Money, limit: Money | null): boolean {
  if (limit === null) return false
  return amount.currency !== limit.currency || amount.minor > limit.minor
}

type Decided = {
  readonly decision: "confirmed" | "refused" | null
  readonly result: string | null
  readonly expiresAt: Instant
}

/** Whether a request can be confirmed: one that was confirmed without being carried out can be confirmed again. */
export function awaitsConfirmation({ decision, result, expiresAt }: Decided, now: Instant): boolean {
  if (result !== null) return false
  return decision === "confirmed" || (decision === null && now < expiresAt)
}
