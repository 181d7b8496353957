import type { Instant } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import type { Quote } from "~/domain/catalogue/pricing"
import type { Country } from "~/domain/customers/country"
import type { AccessScope } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Money } from "~/domain/money/money"
import type { OrderKind } from "~/domain/orders/order"
import type { TaxAtRate } from "~/domain/orders/order-tax"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { Credentials } from "~/domain/services/credentials"

export interface ExternalOrders {
  /**
   * Creates an order for a plan with invoice and pending service, at exactly the quote's total (billing API: order).
   * Not idempotent: after `unavailable` the caller must look it up with `findOrder` before a retry.
   */
  placeOrder(order: ExternalOrder): Promise<PlacedExternally>
  /**
   * The order that an earlier `placeOrder` with the same `orderId` and credentials created; null if none. An adapter may
   * cancel an order whose invoice it cannot find, and return null: it could not be paid.
   */
  findOrder(order: ExternalOrder): Promise<PlacedExternally | null>
  /** Invoices extra connections of a service (billing API: addInvoice). Not idempotent, like `placeOrder`. */
  addInvoice(upsell: ExternalUpsell): Promise<PlacedExternally>
  /** The invoice that an earlier `addInvoice` with the same `orderId` created; null if none. */
  findInvoice(upsell: ExternalUpsell): Promise<PlacedExternally | null>
  /**
   * Cancels an unpaid order (billing API: cancelOrder). No effect if it is cancelled already, or if the system has no such order.
   * Throws `refused` if the order is paid there.
   */
  cancelOrder(order: ExternalOrderRef): Promise<ExternalClosing>
  /** Marks an unpaid order as fraud (billing API: fraudOrder). Otherwise as `cancelOrder`. */
  fraudOrder(order: ExternalOrderRef): Promise<ExternalClosing>
  /** Current status in the external system, where staff may have changed it. */
  orderStatus(order: ExternalOrderRef): Promise<ExternalOrderStatus>
}

export type ExternalOrder = {
  /** Our order number: not guessable, and the same on every retry. */
  readonly orderId: string
  /** Never `upsell`. A `line` is paid with reseller credits: nothing is owed for it. */
  readonly kind: Exclude<OrderKind, "upsell">
  readonly customerId: string
  readonly email: string
  readonly country: Country | null
  readonly address: string | null
  readonly locale: LocaleCode
  readonly quote: Quote
  readonly cycle: Cycle
  readonly gateway: GatewayId
  readonly affiliateId: string | null
  /** Access scope of the session that ordered; null: not authenticated, or unknown. */
  readonly accessScope: AccessScope | null
  /** Credentials of the line, unique per order: `findOrder` may identify the order by them. */
  readonly credentials: Credentials
  readonly connections: number
  /** When the order was placed locally. An external order created earlier is no match. */
  readonly at: Instant
}

export type ExternalUpsell = Pick<
  ExternalOrder,
  "orderId" | "customerId" | "email" | "locale" | "quote" | "gateway" | "accessScope" | "at"
> & {
  readonly serviceId: string
  readonly quantity: number
  /** Number of connections before the upsell. */
  readonly connections: number
}

/** External ids of an order, its invoice and its service. Null: the external order has none. */
export type ExternalOrderIds = {
  readonly orderId: string | null
  readonly invoiceId: string | null
  readonly serviceId: string
  /** Payment URL, if the response to the order contained one. */
  readonly link: string | null
}

/** `taxes`: what its invoice states, in minor units of the order's currency; empty or missing: the system states none. */
export type PlacedExternally = ExternalOrderIds & { readonly taxes?: readonly TaxAtRate[] | undefined }

/**
 * An order that was created externally. A system that counts its ids gives lost ones out again after it was restored from a backup:
 * `number` and `username` tell whether what it has under them is still this order.
 */
export type ExternalOrderRef = ExternalOrderIds & {
  readonly customerId: string
  readonly kind: OrderKind
  /** Our order number. */
  readonly number: string
  /** Username of the service's line, as it is here. */
  readonly username: string
}

/** `unknown`: the system says that it has no such order. */
export type ExternalClosing = "closed" | "unknown"

export type ExternalOrderStatus = {
  /**
   * `open`: neither paid nor cancelled nor marked as fraud. `unknown`: the system says that it has no such order, as after it was
   * restored from a backup, or after staff have deleted the order.
   */
  readonly state: "open" | "paid" | "cancelled" | "fraud" | "unknown"
  /** Amount received; null if not reported, or in an unknown currency. Its currency may differ from the order's. */
  readonly received: Money | null
}

/** Payment URLs of a system that takes payments itself (billing API: offshore, coinbase, cryptomus). */
export interface ExternalPayments {
  /** Creates a payment URL: https, or http on loopback. */
  link(payment: ExternalPaymentRequest): Promise<string>
  /** Origins of the gateway's payment pages that are known so far. */
  origins(gateway: GatewayId): readonly string[]
}

export type ExternalPaymentRequest = {
  readonly order: ExternalOrderRef
  readonly gateway: GatewayId
  readonly productId: string | null
  readonly amount: Money
  /** Our id of the payment attempt. */
  readonly attemptId: string
  readonly returnUrl: string
  readonly cancelUrl: string
  readonly locale: LocaleCode
}
