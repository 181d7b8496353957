import type { Instant } from "~/domain/calendar"
import type { Product } from "~/domain/catalogue"
import type { Order } from "~/domain/order"
import type { OrderEvent } from "~/domain/order-status"
import type { Quote } from "~/domain/pricing"
import type { Promotion } from "~/domain/promotion"
import type { TimelineEvent } from "~/domain/timeline"
import type { Customers } from "./customers"
import type { FraudAndAffiliates } from "./fraud-and-affiliates"
import type { NewOrder, NewUpsell } from "./new-order"
import type { Resellers } from "./resellers"
import type { ServiceRepository } from "./service-repository"

/**
 * Port of billing: catalogue, orders and promotions, and the ports it extends. Adapters: the embedded engine, a remote
 * billing API, WHMCS. Every call may throw a `BillingError`. Instants are milliseconds since 1970, money is minor
 * units.
 */
export interface Billing extends Customers, Resellers, ServiceRepository, FraudAndAffiliates {
  /** Lists all plans for viewers, in catalogue order. The caller decides how many to show. */
  plans(): Promise<readonly Product[]>
  resellerPlans(): Promise<readonly Product[]>
  /** Lists the gateway modules that billing accepts payments through (billing API: getGateway). */
  gateways(): Promise<readonly string[]>
  /**
   * Looks up a promotion by its promo code, ignoring case and surrounding spaces; null if unknown. Does not validate
   * it: see `checkPromotion`.
   */
  promotion(code: string): Promise<Promotion | null>
  /** Number of redemptions of a promo code, without those released by cancelled or expired orders; 0 if unknown. */
  promotionUses(code: string): Promise<number>

  /**
   * Creates order, invoice and pending service and redeems the promotion, in one transaction. Idempotent: a repeated
   * `key` returns the order it first created, whatever the other fields are. Call `completeOrder` before any payment.
   * Throws `BillingError` "refused" if the total is not the sum of the lines, or the promotion is used up.
   */
  placeOrder(order: NewOrder): Promise<Order>
  /**
   * Creates order and invoice for extra connections of an existing service (billing API: addInvoice), in one transaction.
   * Payment adds the connections to the service and enqueues the panel update. Key and total as with `placeOrder`.
   * Throws `BillingError` "refused" if the service is not active or not the customer's, if the lines do not add up to
   * the quantity, or if another order has used the key.
   */
  addInvoice(upsell: NewUpsell): Promise<Order>
  order(id: string): Promise<Order | null>
  /**
   * Ensures that external billing has the order too: resumes what `placeOrder` or `addInvoice` did not complete.
   * Returns the current order; null while it is unknown whether external billing has it (see `isBeingPlaced`).
   * Embedded billing returns the order unchanged.
   */
  completeOrder(order: Order): Promise<Order | null>
  /** Whether a call that creates the order in external billing may be in progress; the order is not payable yet. */
  isBeingPlaced(orderId: string): Promise<boolean>
  /** The order created with an idempotency key; null if there is none. */
  orderByIdempotencyKey(key: string): Promise<Order | null>
  /** The order of an invoice; null if the invoice does not exist. */
  orderByInvoice(invoiceId: string): Promise<Order | null>
  /** Timeline events of an order, oldest first. */
  timeline(orderId: string): Promise<readonly TimelineEvent[]>
  /**
   * Applies an event of the order state table (`domain/order-status`) and appends it to the timeline. Returns the
   * current order; null if it does not exist. Does nothing if the table has no transition from the current status.
   * Cancelling, expiring and flagging release the promotion. `reference`: reason or actor, shown to the operator only.
   */
  applyOrderEvent(
    id: string,
    event: Exclude<OrderEvent, "released">,
    at: Instant,
    reference?: string | null,
  ): Promise<Order | null>
  /**
   * Releases an order on hold, by decision of the operator. With `quoteHolds` the order is placed again with the new
   * deadline: it redeems its promo code, uses the account credit in its credit scope, and is paid immediately if
   * nothing is left to pay. Otherwise it stays on hold until `requoteOrder`. Does nothing to an order that is not on
   * hold or already decided. Returns the current order; null if it does not exist. Throws `BillingError` "refused" if
   * the promo code or the reseller credits are used up.
   */
  releaseOrder(id: string, release: Release): Promise<Order | null>
  /**
   * Rejects an order on hold permanently, by decision of the operator. Uses neither promo code nor credit. Idempotent.
   * Returns the current order; null if it does not exist.
   */
  refuseOrder(id: string, rejection: Pick<Release, "at" | "reference">): Promise<Order | null>
  /**
   * Places a released order again at the current price, which the buyer has accepted. Idempotent: does nothing once the
   * order is placed. Throws `BillingError` "refused" for an order that is not released, and for a used-up promo code.
   */
  requoteOrder(id: string, quote: NewQuote): Promise<Order>
  /** Ids of payable orders whose deadline has passed, earliest deadline first. */
  overdueOrders(now: Instant, limit: number): Promise<readonly string[]>
  /**
   * Reconciliation sweep: reads up to `limit` open orders from external billing and applies their status to the mirror.
   * Returns how many changed. Embedded billing returns 0.
   */
  reconcileExternalOrders(now: Instant, limit: number): Promise<number>
}

export type Release = {
  readonly at: Instant
  readonly deadline: Instant
  /** Actor and reason, for the timeline. */
  readonly reference: string
  /** Whether price and promo code are unchanged since the order was placed. */
  readonly quoteHolds: boolean
}

export type NewQuote = {
  readonly quote: Quote
  readonly promoCode: string | null
  readonly at: Instant
  readonly deadline: Instant
}

/**
 * Error of every billing adapter. `refused`: billing rejected the call; do not retry. `unavailable`: no response; may
 * be retried. `unreadable`: the response or a stored row could not be parsed.
 */
export class BillingError extends Error {
  override name = "BillingError"
  /** The call timed out and may still complete in external billing. */
  readonly mayStillRun: boolean

  constructor(
    readonly kind: "refused" | "unavailable" | "unreadable",
    message: string,
    { mayStillRun = false, ...options }: ErrorOptions & { mayStillRun?: boolean } = {},
  ) {
    super(message, options)
    this.mayStillRun = mayStillRun
  }
}

/**
 * It is unknown whether external billing has the order: another instance is creating it, or a process died while
 * creating it. Do not create it again; retry the call later.
 */
export class OrderPending extends BillingError {
  constructor(
    readonly orderId: string,
    options?: ErrorOptions,
  ) {
    super("unavailable", "Order is not confirmed by external billing yet", options)
  }
}

/**
 * Billing has a customer with this e-mail who cannot order: the account is closed, barred, or charged in a currency that
 * the shop does not sell in. Nothing was created.
 */
export class CustomerRejectedError extends BillingError {
  override name = "CustomerRejectedError"

  constructor(message: string, options?: ErrorOptions) {
    super("refused", message, options)
  }
}

/** Too many passwords wait to be hashed (load shedding). Nothing was changed; retry after `retryAfterSeconds`. */
export class BillingOverloaded extends BillingError {
  override name = "BillingOverloaded"

  constructor(
    readonly retryAfterSeconds: number,
    options?: ErrorOptions,
  ) {
    super("unavailable", "Too many concurrent password hashes", options)
  }
}
