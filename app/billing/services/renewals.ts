import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { NextPlan } from "~/domain/services/plan-change"
import type { DeclineReason, RenewalItem, RenewalTerms, RenewedItem } from "~/domain/services/renewal"
import type { NewUpsell } from "../orders/new-order"

/** Port of renewals: orders that add terms to existing services. Every call may throw a `BillingError`. */
export interface Renewals {
  /**
   * What one cycle of a service costs at its renewal. Null: the service cannot be renewed by an order, since it is unknown,
   * a reseller plan, or a reseller's line.
   */
  renewalTerms(serviceId: string): Promise<NextTerms | null>
  /**
   * Creates order and invoice for terms of one or several services of a customer, in one transaction. The payment adds the
   * terms, once. Key and total as with `placeOrder`. Throws `BillingError` "refused" if a service cannot be renewed or is
   * not the customer's, if the lines are not those of the items, or if another order has used the key.
   */
  placeRenewal(renewal: NewRenewal): Promise<Order>
  /**
   * Orders that renew a service and can be paid at `at`, the newest first, at most ten. None in which money is
   * involved: those belong to who has paid.
   */
  unpaidRenewals(serviceId: string, at: Instant): Promise<readonly Order[]>
  /** What an order renews, in the order of its lines; empty for orders of other kinds. */
  renewalItems(orderId: string): Promise<readonly RenewedItem[]>
  /**
   * Replaces the price of one cycle of a service, less its discount, by a lower one, which is without discount. False,
   * without a change, if it costs as much or less already.
   */
  lowerRenewalPrice(serviceId: string, to: Money, at: Instant): Promise<boolean>
  /** Notes that the customer does not want to renew: reminders stop. Idempotent; the last reason counts. */
  declineRenewal(serviceId: string, reason: DeclineReason, at: Instant): Promise<void>
  /** Takes `declineRenewal` back. Idempotent. */
  resumeRenewal(serviceId: string, at: Instant): Promise<void>
  /**
   * Stores the customer's consent to renew a service from account credit at its end, or ends it. Consent takes
   * `declineRenewal` back. Idempotent.
   */
  setBalanceRenewal(serviceId: string, isOn: boolean, at: Instant): Promise<void>
  /** Services with consent whose paid time is over at `at`, in the order of their ids after `after`, at most `limit`. */
  dueBalanceRenewals(at: Instant, after: string, limit: number): Promise<readonly string[]>
  /**
   * Places and pays a renewal from account credit in one transaction. Null, without a change, if a service has no consent
   * or paid time is left, if the credit does not cover the total, or as long as a payment in flight holds the steps of dunning.
   * Idempotent by `key`.
   */
  renewFromBalance(renewal: NewRenewal): Promise<Order | null>
}

/** The terms of a renewal: those of the plan that follows, if there is one that is not paid yet. */
export type NextTerms = RenewalTerms & {
  readonly next: NextPlan | null
  /** The service is not suspended before; null: no limit. */
  readonly notBefore: Instant | null
}

export type NewRenewal = Pick<NewUpsell, Exclude<keyof NewUpsell, "serviceId" | "quantity">> & {
  /** In the order of the quote's lines; each service once. */
  readonly items: readonly RenewalItem[]
  /**
   * Ids of the unpaid renewals of the first service that were known when this one was decided. Throws `ConcurrentRenewal` if
   * there is another one by now. Absent: others do not matter.
   */
  readonly known?: readonly string[]
}
