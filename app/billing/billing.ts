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
 * What checkout asks of whoever keeps the books: the embedded engine, a remote API, or WHMCS.
 * Every call may throw a `BillingError`. Instants are milliseconds since 1970, money is minor units.
 */
export interface Billing extends Customers, Resellers, ServiceRepository, FraudAndAffiliates {
  /** Plans for viewers, in the order of the price list. The caller decides how many to show. */
  plans(): Promise<readonly Product[]>
  resellerPlans(): Promise<readonly Product[]>
  /** The payment modules the books take payments by (spec: getGateway). */
  gateways(): Promise<readonly string[]>
  /** A code as the books know it, however it is typed; null when they do not. No verdict: see `judgePromotion`. */
  promotion(code: string): Promise<Promotion | null>
  /** How often a code has been used, by orders that stand; 0 for one that the books do not know. */
  promotionUses(code: string): Promise<number>

  /**
   * Order, invoice, pending service and the promotion's use, all or nothing. A repeated key answers with the
   * order it made first, whatever else is in the call. Before anything is paid for it, see `completeOrder`. Refuses (`BillingError` "refused") a total that is not
   * the sum of its lines, and a promotion that has no use left.
   */
  placeOrder(order: NewOrder): Promise<Order>
  /**
   * Order and invoice for more connections of a service that is there (spec: addInvoice), all or nothing; once it
   * is paid the service has them, and the panel is told. Key and total as with `placeOrder`. Refuses a service
   * that is not active or not the customer's, lines that do not come to the quantity, and the key of another order.
   */
  addInvoice(upsell: NewUpsell): Promise<Order>
  order(id: string): Promise<Order | null>
  /**
   * Where external billing has to have an order too: goes on with what `placeOrder` or `addInvoice` could not end, and
   * answers the order as it is then; null while it is not known whether they have it (see `isOnItsWay`). Ours are
   * there as soon as they are placed.
   */
  completeOrder(order: Order): Promise<Order | null>
  /** Whether an order may be on its way to external billing just now, so that nothing can be paid for it yet. */
  isBeingPlaced(orderId: string): Promise<boolean>
  /** The order that a one-time key has made; null when it has made none. */
  orderByIdempotencyKey(key: string): Promise<Order | null>
  /** The order that an invoice is for; null when there is no such invoice. */
  orderByInvoice(invoiceId: string): Promise<Order | null>
  /** Oldest first. */
  timeline(orderId: string): Promise<readonly TimelineEvent[]>
  /**
   * Carries out an event of the order's table and tells it in the timeline; answers the order as it is then.
   * An event that changes nothing from the present status does nothing. Cancelling and expiring give a
   * promotion's use back. `reference`: why, or by whom, for the operator's eyes. Null: no such order.
   */
  applyOrderEvent(
    id: string,
    event: Exclude<OrderEvent, "released">,
    at: Instant,
    reference?: string | null,
  ): Promise<Order | null>
  /**
   * The operator lets a held order go on: where its quote still holds it is placed again with a new deadline, uses its
   * code and the credit its buyer may use, and is paid at once where that leaves nothing. Otherwise it stays held until
   * the buyer agrees to a new quote. One that is not held, or has been decided on, stays as it is. Refuses (`BillingError`
   * "refused") where its code or a reseller's credits have been used up. Null: no such order.
   */
  releaseOrder(id: string, release: Release): Promise<Order | null>
  /** The operator refuses a held order for good; it uses no code and no credit. Null: no such order. */
  refuseOrder(id: string, rejection: Pick<Release, "at" | "reference">): Promise<Order | null>
  /**
   * The buyer of a released order agrees to what it costs now: it is placed again at that. Once it is placed, the same
   * again changes nothing. Refuses any other order, and a code without a use left.
   */
  requoteOrder(id: string, quote: NewQuote): Promise<Order>
  /** Orders still waiting for money whose deadline has passed, the longest overdue first. */
  overdueOrders(now: Instant, limit: number): Promise<readonly string[]>
  /**
   * Where customers and invoices are kept elsewhere: looks at the orders that are open here, `most` at a time, and
   * takes over what has been decided there. Answers how many have changed; our own books have nobody to ask.
   */
  reconcileExternalOrders(now: Instant, limit: number): Promise<number>
}

export type Release = {
  readonly at: Instant
  readonly deadline: Instant
  /** By whom and why, for the timeline. */
  readonly reference: string
  /** Its price and its code are still what they were. */
  readonly quoteHolds: boolean
}

export type NewQuote = {
  readonly quote: Quote
  readonly promoCode: string | null
  readonly at: Instant
  readonly deadline: Instant
}

/** `refused`: the books said no. `unavailable`: they did not answer. `unreadable`: they answered nonsense. */
export class BillingError extends Error {
  override name = "BillingError"
  /** The call was not waited for to its end, and may still be carried out there. */
  readonly mayBeAtWork: boolean

  constructor(
    readonly kind: "refused" | "unavailable" | "unreadable",
    message: string,
    { mayBeAtWork = false, ...options }: ErrorOptions & { mayBeAtWork?: boolean } = {},
  ) {
    super(message, options)
    this.mayBeAtWork = mayBeAtWork
  }
}

/**
 * Whether external billing has an order is not known yet: somebody else is making it there, or a process that has died
 * had begun to. It must not be made a second time; ask again in a moment.
 */
export class OrderPending extends BillingError {
  constructor(
    readonly orderId: string,
    options?: ErrorOptions,
  ) {
    super("unavailable", "Whether external billing has the order is not known yet", options)
  }
}

/** Too much is going on to check or store a password now. Nothing has been done; it is worth trying again soon. */
export class BillingOverloaded extends BillingError {
  override name = "BillingOverloaded"

  constructor(
    readonly retryAfterSeconds: number,
    options?: ErrorOptions,
  ) {
    super("unavailable", "Too many passwords to hash at once", options)
  }
}
