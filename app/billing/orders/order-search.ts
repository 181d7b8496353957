import type { Instant } from "~/domain/calendar"
import type { Country } from "~/domain/customers/country"
import type { Money } from "~/domain/money/money"
import type { OrderKind } from "~/domain/orders/order"
import type { OrderStatus } from "~/domain/orders/order-status"
import type { GatewayId } from "~/domain/payments/gateway-id"

/** Port by which operators find orders. Each call is one or two short queries by an index, and may throw a `BillingError`. */
export interface OrderSearch {
  /** Orders by the time of `by`, newest first unless `newer` is set, at most `limit`. */
  orders(range: OrderRange): Promise<readonly OrderListItem[]>
  /** Orders by one of their names, newest first, at most `limit`. */
  ordersNamed(name: OrderName): Promise<readonly OrderListItem[]>
}

/** Place of an order in the list: keyset pagination. `at`: when it was placed, or paid. */
export type OrderPosition = { readonly at: Instant; readonly id: string }

/** What an index leads to. At most one of them: a second condition could read all orders of the first. */
export type OrderKey = {
  readonly status?: OrderStatus | undefined
  readonly gateway?: GatewayId | undefined
  readonly promoCode?: string | undefined
  readonly tag?: string | undefined
  /** Amount in minor units, in any currency: the total, or that of a payment. */
  readonly total?: number | undefined
}

/** `paid`: by the time of the payment; unpaid orders are not in it, and it has no `OrderKey`. */
export type OrderTime = "placed" | "paid"

export type OrderRange = OrderKey & {
  /** Absent: `placed`. */
  readonly by?: OrderTime | undefined
  readonly limit: number
  /** Orders behind this one; absent: from the first. */
  readonly beyond?: OrderPosition | undefined
  /** Oldest first. */
  readonly newer?: boolean | undefined
  /** Placed or paid at this time or later. */
  readonly from?: Instant | undefined
  /** Placed or paid before this time. */
  readonly until?: Instant | undefined
}

/**
 * `number`: also with "#", a word before it, or hyphens. `document`: the number of an invoice or credit note. `email`, which the customer may
 * have changed since, and `username`: also the beginning of one. `payment`: the provider's payment id or transaction. `coin`: an address or transaction of a
 * coin's network, or the beginning of one.
 */
export const orderNameKinds = [
  "number",
  "document",
  "email",
  "username",
  "device",
  "payment",
  "coin",
] as const
export type OrderName = {
  readonly kind: (typeof orderNameKinds)[number]
  readonly text: string
  /** The text is a whole e-mail, and not the beginning of one. */
  readonly isWhole?: boolean | undefined
  readonly limit: number
}

export type OrderListItem = {
  readonly id: string
  readonly kind: OrderKind
  readonly status: OrderStatus
  readonly email: string
  readonly gateway: GatewayId
  /** The customer's; null for those older than this column. */
  readonly country: Country | null
  /** Normalized; null without one. */
  readonly promoCode: string | null
  readonly total: Money
  readonly received: Money
  readonly placedAt: Instant
  /** Null: not paid in full. */
  readonly paidAt: Instant | null
}
