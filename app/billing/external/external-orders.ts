import type { Cycle } from "~/domain/billing-cycle"
import type { Instant } from "~/domain/calendar"
import type { Country } from "~/domain/country"
import type { Credentials } from "~/domain/credentials"
import type { AccessScope } from "~/domain/customer"
import type { GatewayId } from "~/domain/gateway-id"
import type { LocaleCode } from "~/domain/locales"
import type { Money } from "~/domain/money"
import type { OrderKind } from "~/domain/order"
import type { Quote } from "~/domain/pricing"

export interface ExternalOrders {
  /**
   * Writes an order for a plan down there, with invoice and pending service, at exactly the total of its quote
   * (spec: order). Made once: after `unavailable` the caller looks with `findOrder` before it asks again.
   */
  placeOrder(order: ExternalOrder): Promise<ExternalOrderIds>
  /** The order that an earlier `placeOrder` with the same `orderId` and credentials has made; null: none. */
  findOrder(order: ExternalOrder): Promise<ExternalOrderIds | null>
  /** Writes down what more connections of a service cost (spec: addInvoice), as `placeOrder` does. */
  addInvoice(upsell: ExternalUpsell): Promise<ExternalOrderIds>
  findInvoice(upsell: ExternalUpsell): Promise<ExternalOrderIds | null>
  /** It has come to nothing (spec: cancelOrder). Nothing happens when that is so there already. */
  cancelOrder(order: ExternalOrderRef): Promise<void>
  /** It is held as suspicious (spec: fraudOrder). Nothing happens when that is so there already. */
  fraudOrder(order: ExternalOrderRef): Promise<void>
  /** How it stands there now; staff may have changed it. */
  orderStatus(order: ExternalOrderRef): Promise<ExternalOrderStatus>
}

export type ExternalOrder = {
  /** Our number for it, which nobody can guess; the same on every try. */
  readonly orderId: string
  /** `upsell` never. A `line` is paid with a reseller's credits: nothing is owed for it. */
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
  /** What whoever orders has proven to be the customer's; null: nothing, or that is not known. */
  readonly accessScope: AccessScope | null
  /** The line's access, which is unlike any other's: an order is found again by it. */
  readonly credentials: Credentials
  readonly connections: number
  /** When it was placed here: nothing made there before is it. */
  readonly at: Instant
}

export type ExternalUpsell = Pick<
  ExternalOrder,
  "orderId" | "customerId" | "email" | "locale" | "quote" | "gateway" | "accessScope" | "at"
> & {
  readonly serviceId: string
  readonly quantity: number
  /** How many connections the service has before. */
  readonly connections: number
}

/** Their names for an order and what belongs to it. Null: there is none of it. */
export type ExternalOrderIds = {
  readonly orderId: string | null
  readonly invoiceId: string | null
  readonly serviceId: string
  /** Where it can be paid at once, if they have said so with the order. */
  readonly link: string | null
}

export type ExternalOrderRef = ExternalOrderIds & { readonly customerId: string; readonly kind: OrderKind }

export type ExternalOrderStatus = {
  /** `open`: nobody has decided anything. */
  readonly state: "open" | "paid" | "cancelled" | "fraud"
  /** What has come for it; null where they do not say, or in a currency that is not the order's. */
  readonly received: Money | null
}

/** They take the money: they make links to pay by, and know what has come (spec: offshore, coinbase, cryptomus). */
export interface ExternalPayments {
  /** Where a payment can be made; https, or http on loopback. */
  link(payment: ExternalPaymentRequest): Promise<string>
  /** Origins of the pages those links lead to, as far as they are known now. */
  origins(gateway: GatewayId): readonly string[]
}

export type ExternalPaymentRequest = {
  readonly order: ExternalOrderRef
  readonly gateway: GatewayId
  readonly productId: string | null
  readonly amount: Money
  /** Our name for this try to pay. */
  readonly attemptId: string
  readonly returnUrl: string
  readonly cancelUrl: string
  readonly locale: LocaleCode
}
