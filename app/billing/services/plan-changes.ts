import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { NextPlan, PlanChangeKind, PlanTarget } from "~/domain/services/plan-change"
import type { RenewalTerms } from "~/domain/services/renewal"
import type { Term } from "~/domain/services/term"
import type { NewUpsell } from "../orders/new-order"

/** Port of changes of plan and billing cycle. Every call may throw a `BillingError`. */
export interface PlanChanges {
  /**
   * What decides about a change of a service's plan at a time. Null: it cannot be changed, since it is unknown, a reseller plan,
   * a reseller's line, or without an end.
   */
  planFacts(serviceId: string, at: Instant): Promise<PlanFacts | null>
  /** The plan that follows when the paid time ends; null: the present one. */
  nextPlan(serviceId: string): Promise<NextPlan | null>
  /**
   * Creates order and invoice for a change that takes effect with the payment, in one transaction. Key and total as with
   * `placeOrder`. If the service has another plan, term or number of connections by the time of the payment, nothing changes and what
   * was paid becomes account credit. Throws `BillingError` "refused" if the service is not the customer's and active, if it was
   * changed less than a day ago, if its free trial still runs, if its unused time has another value, or if another order has used
   * the key.
   */
  placePlanChange(change: NewPlanChange): Promise<Order>
  /** What an order changes; null for orders of other kinds. */
  planChangeOf(orderId: string): Promise<OrderedPlanChange | null>
  /**
   * Stores the plan that follows when the paid time ends, in place of another one. False, without a change, if terms of the one
   * before are paid already, or if the service is not active, or has other connections than `connections`, for which it is priced.
   */
  chooseNextPlan(
    serviceId: string,
    plan: PlanTarget & { readonly connections?: number | undefined },
    at: Instant,
  ): Promise<boolean>
  /** Forgets the plan that follows. False, without a change, if there is none, or if terms of it are paid already. */
  keepPlan(serviceId: string, at: Instant): Promise<boolean>
  /** Gives a service the plan that follows, if its time has come. Idempotent. */
  startNextPlan(serviceId: string, at: Instant): Promise<void>
  /** Marks the paid changes of a service as done, once the panel has its plan. Idempotent. */
  markPlanProvisioned(serviceId: string, at: Instant): Promise<void>
}

export type PlanFacts = {
  /** What one cycle of the present plan costs. */
  readonly terms: RenewalTerms
  /** Value of the unused time. */
  readonly unused: Money
  /** When the plan was last changed; null: never. */
  readonly changedAt: Instant | null
  /** End of the free trial that comes before the paid time; null: none, or it is over. */
  readonly trialEnd: Instant | null
  readonly next: NextPlan | null
}

export type NewPlanChange = Omit<NewUpsell, "quantity"> & {
  readonly target: PlanTarget
  readonly kind: PlanChangeKind
  /** Value of the unused time at `from`. */
  readonly credit: Money
  /** When the figures were shown: the new time begins then. */
  readonly from: Instant
  /** The term after the change, and its end. */
  readonly term: Term
  readonly until: Instant
}

export type OrderedPlanChange = {
  /** Name of the former plan. */
  readonly former: string
  readonly target: PlanTarget
  readonly until: Instant
  /** Null: not paid yet, or it came too late and what was paid became account credit. */
  readonly appliedAt: Instant | null
}
