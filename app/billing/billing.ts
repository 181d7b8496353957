import type { Cycle } from "~/domain/billing-cycle"
import type { Instant } from "~/domain/calendar"
import type { Product, ProductKind } from "~/domain/catalogue"
import type { Credentials } from "~/domain/credentials"
import type { GatewayId } from "~/domain/gateway-id"
import type { LocaleCode } from "~/domain/locales"
import type { Order } from "~/domain/order"
import type { OrderEvent } from "~/domain/order-status"
import type { Quote } from "~/domain/pricing"
import type { Promotion } from "~/domain/promotion"
import type { TimelineEvent } from "~/domain/timeline"
import type { Customers } from "./customers"
import type { Visits } from "./fraud-and-affiliates"
import type { Resellers } from "./resellers"
import type { ServiceBook } from "./service-repository"

/**
 * What checkout asks of whoever keeps the books: the embedded engine, a remote API, or WHMCS.
 * Every call may throw a `BillingError`. Instants are milliseconds since 1970, money is minor units.
 */
export interface Billing extends Customers, Resellers, ServiceBook, Visits {
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
   * order it made first, whatever else is in the call. Refuses (`BillingError` "refused") a total that is not
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
  /** The order that a one-time key has made; null when it has made none. */
  orderOfKey(key: string): Promise<Order | null>
  /** The order that an invoice is for; null when there is no such invoice. */
  orderOfInvoice(invoiceId: string): Promise<Order | null>
  /** Oldest first. */
  timeline(orderId: string): Promise<readonly TimelineEvent[]>
  /**
   * Carries out an event of the order's table and tells it in the timeline; answers the order as it is then.
   * An event that changes nothing from the present status does nothing. Cancelling and expiring give a
   * promotion's use back. Null: no such order.
   */
  moveOrder(id: string, event: OrderEvent, at: Instant): Promise<Order | null>
  /** Orders still waiting for money whose deadline has passed, the longest overdue first. */
  overdueOrders(now: Instant, most: number): Promise<readonly string[]>
  /**
   * Where customers and invoices are kept elsewhere: looks at the orders that are open here, `most` at a time, and
   * takes over what has been decided there. Answers how many have changed; our own books have nobody to ask.
   */
  takeOver(now: Instant, most: number): Promise<number>
}

export type NewOrder = {
  /** One-time key of the draft: the same key never makes a second order. */
  key: string
  /** `plan` or `reseller`: what the quoted product is. */
  kind: ProductKind
  customerId: string
  /** Whoever orders has proven to be the customer. */
  proven: boolean
  /** How much of it the customer's credit may pay at most, in minor units; 0 leaves it alone. */
  creditMost: number
  quote: Quote
  /** The cycle the quoted plan is paid for. */
  cycle: Cycle
  promoCode: string | null
  gateway: GatewayId
  locale: LocaleCode
  address: string | null
  /** The address is the operator's stand-in, because nobody knows the real one: told in the timeline. */
  addressAssumed: boolean
  /** The affiliate whose link brought the buyer (spec: affid). */
  affiliateId: string | null
  connections: number
  /** Chosen before the panel is asked, so that a repeated set-up makes the same line. */
  credentials: Credentials
  /** The number the order gets unless it is already taken. */
  number: () => string
  at: Instant
  deadline: Instant
}

export type NewUpsell = Pick<
  NewOrder,
  | "key"
  | "customerId"
  | "proven"
  | "creditMost"
  | "quote"
  | "gateway"
  | "locale"
  | "address"
  | "number"
  | "at"
  | "deadline"
> & { serviceId: string; quantity: number }

/** `refused`: the books said no. `unavailable`: they did not answer. `unreadable`: they answered nonsense. */
export class BillingError extends Error {
  override name = "BillingError"

  constructor(
    readonly kind: "refused" | "unavailable" | "unreadable",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
