import type { Instant } from "~/domain/calendar"
import type { Product } from "~/domain/catalogue"
import type { Credentials } from "~/domain/credentials"
import type { GatewayId } from "~/domain/gateway-id"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { OrderEvent } from "~/domain/order-status"
import type { Quote } from "~/domain/pricing"
import type { Promotion } from "~/domain/promotion"
import type { Service } from "~/domain/service"
import type { TimelineEvent } from "~/domain/timeline"

/**
 * What checkout asks of whoever keeps the books: the embedded engine, a remote API, or WHMCS.
 * Every call may throw a `BillingError`. Instants are milliseconds since 1970, money is minor units.
 */
export interface Billing {
  /** Plans for viewers, in the order of the price list. The caller decides how many to show. */
  plans(): Promise<readonly Product[]>
  resellerPlans(): Promise<readonly Product[]>
  /** A code as the books know it, however it is typed; null when they do not. No verdict: see `judgePromotion`. */
  promotion(code: string): Promise<Promotion | null>

  /** Finds the customer of an e-mail or makes one, and answers the same way for both. */
  identify(visitor: Visitor): Promise<{ customerId: string }>

  /**
   * Order, invoice, pending service and the promotion's use, all or nothing. A repeated key answers with the
   * order it made first, whatever else is in the call. Refuses (`BillingError` "refused") a total that is not
   * the sum of its lines, and a promotion that has no use left.
   */
  placeOrder(order: NewOrder): Promise<Order>
  order(id: string): Promise<Order | null>
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

  service(id: string): Promise<Service | null>
  /** The service works now: it and its order become active, once; told in the timeline. */
  activateService(id: string, access: { host: string }, at: Instant): Promise<void>
  /** Setting the service up failed and is tried again: the buyer reads it in the timeline, once. */
  tellDelay(serviceId: string, at: Instant): Promise<void>
}

export type Visitor = {
  email: string
  locale: LocaleCode
  currency: Currency
  address: string | null
  at: Instant
}

export type NewOrder = {
  /** One-time key of the draft: the same key never makes a second order. */
  key: string
  customerId: string
  quote: Quote
  promoCode: string | null
  gateway: GatewayId
  locale: LocaleCode
  address: string | null
  connections: number
  /** Chosen before the panel is asked, so that a repeated set-up makes the same line. */
  credentials: Credentials
  /** The number the order gets unless it is already taken. */
  number: () => string
  at: Instant
  deadline: Instant
}

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
