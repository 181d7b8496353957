import type { Instant } from "~/domain/calendar"
import type { Quote } from "~/domain/catalogue/pricing"
import type { NumberCheck } from "~/domain/customers/business"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import type { Currency, Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { OrderEvent } from "~/domain/orders/order-status"
import type { TimelineEvent } from "~/domain/orders/timeline"
import type { Visitor } from "../customers/customers"
import type { NewOrder, NewTopUp, NewUpsell } from "./new-order"

/** Port of orders and their timeline. Every call may throw a `BillingError`. */
export interface OrderRepository {
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
  /**
   * Creates order and invoice for account credit of a customer, in one transaction, from the page of a service of the
   * customer that can be renewed. Once it is covered, all money received for it is account credit. Key and total as with
   * `placeOrder`. Throws `BillingError` "refused" if the service cannot be renewed or is not the customer's, if the account
   * credit would exceed `max` once the customer's payable top-ups are paid, or if another order has used the key.
   */
  placeTopUp(topUp: NewTopUp): Promise<Order>
  /** Total of a customer's top-ups that can be paid at `at`. */
  payableTopUps(customerId: string, currency: Currency, at: Instant): Promise<Money>
  /** Null for an unknown id. */
  order(id: string): Promise<Order | null>
  /** The order created with an idempotency key; null if there is none. */
  orderByIdempotencyKey(key: string): Promise<Order | null>
  /** The order of an invoice; null if the invoice does not exist. */
  orderByInvoice(invoiceId: string): Promise<Order | null>
  /** Id of an order's invoice in the external billing system; null: it has none there, or it is not known yet. */
  externalInvoiceOf(orderId: string): Promise<string | null>
  /** Paid orders that created, extended or renewed a service, newest first, at most `limit`. */
  paidOrdersOf(serviceId: string, limit: number): Promise<readonly Order[]>
  /**
   * The newest order that extends, renews or changes a service and of which a part is paid, if its rest can be paid at `at`; null
   * without one.
   */
  partlyPaidOrderOf(serviceId: string, at: Instant): Promise<Order | null>
  /** Paid orders in a customer's access scope (see `covers`), newest first, at most `limit`. */
  paidOrdersOfCustomer(customer: AuthenticatedCustomer, limit: number): Promise<readonly Order[]>
  /**
   * Moves an order, with its invoice, payments and service, and what was ordered for that service since, to the customer of another
   * e-mail, as if the buyer had typed that one at the checkout; the customer is created if there is none. False without a change if
   * `isEmailCorrectable` is false, if what was ordered since cannot move, after `EMAIL_CORRECTIONS`, or if the customers are those of
   * an external billing system.
   */
  correctEmail(orderId: string, visitor: Visitor): Promise<boolean>
  /**
   * Stores a late answer about the number for tax of an order's business, which was sold to with tax, and with its customer's
   * account. Where the number is valid and the business owes the tax itself, the order is marked with what is owed back
   * (`OrderTax.correction`). Null without a change if the order has no tax. Idempotent.
   */
  recordNumberCheck(orderId: string, check: NumberCheck): Promise<Order | null>
  /**
   * What an order was paid with, by gateways, account credit or outside the gateways, less what has gone back as money or as account
   * credit, and what became account credit of it: never below zero or more than its total. Nothing is left of a top-up.
   */
  netPaidOf(order: Pick<Order, "id" | "total" | "received" | "credited">): Promise<Money>
  /** Timeline events of an order, oldest first. */
  timeline(orderId: string): Promise<readonly TimelineEvent[]>
  /**
   * Applies an event of the order state table (`domain/orders/order-status`) and appends it to the timeline. Returns the current order;
   * null if it does not exist. Does nothing if the table has no transition from the current status. Cancelling, expiring and
   * flagging release the promotion. `declined` does nothing to an order with money in it. `reference`: reason or actor, shown to
   * the operator only.
   */
  applyOrderEvent(
    id: string,
    event: Exclude<OrderEvent, "released">,
    at: Instant,
    reference?: string | null,
  ): Promise<Order | null>
  /** Ids of payable orders whose deadline has passed, earliest deadline first. */
  overdueOrders(now: Instant, limit: number): Promise<readonly string[]>
}

/** Port of withdrawals. Every call may throw a `BillingError`. */
export interface Withdrawals {
  /**
   * Records that a buyer has withdrawn from an order: on its timeline, with a message to the buyer and one to the operator,
   * who ends the service and refunds. Idempotent.
   */
  recordWithdrawal(orderId: string, at: Instant): Promise<void>
}

/** Port of orders on hold and the decisions about them. Every call may throw a `BillingError`. */
export interface HeldOrders {
  /** Puts an unpaid order on hold as suspected fraud (billing API: fraudOrder): not payable, its promotion is released. */
  fraudOrder(orderId: string, reason: string, at: Instant): Promise<void>
  /**
   * Releases an order on hold, by decision of the operator. With `quoteHolds` the order is placed again with the new
   * deadline: it redeems its promo code, uses the account credit in its credit scope, and is paid immediately if
   * nothing is left to pay. Otherwise it stays on hold until `requoteOrder`. Does nothing to an order that is not on
   * hold or already decided. Returns the current order; null if it does not exist. Throws `BillingError` "refused" if
   * the promo code or the reseller credits are used up, or the reseller of a line has no active plan any more.
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
