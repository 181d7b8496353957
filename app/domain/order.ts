import { DAY, type Instant } from "./calendar"
import type { AccessScope } from "./customer"
import type { GatewayId } from "./gateway-id"
import type { LocaleCode } from "./locales"
import type { Money } from "./money"
import type { OrderStatus } from "./order-status"
import type { QuoteLine } from "./pricing"

/** How long the price of an order holds unpaid (spec, section 9). */
export const PAYMENT_DEADLINE = DAY

/** Money that comes this much after the deadline is still accepted without asking (design, section 5). */
export const LATE_PAYMENT_GRACE = 7 * DAY

/**
 * `plan`: makes a viewer's service. `reseller`: makes a reseller's. `line`: makes a viewer's service for a reseller's
 * own customer, paid with a credit. `upsell`: adds connections to a service that is there.
 */
export type OrderKind = "plan" | "reseller" | "line" | "upsell"

/**
 * Whose money may pay an order besides the buyer's own: nobody's, all of the customer's account credit (`account`: the
 * buyer has proven the account), or what one order has brought and nobody has spent since (`order …`: the one in the
 * buyer's browser).
 */
export type CreditScope = "none" | "account" | `order ${string}`

/**
 * What the operator has decided on an order that is held as suspicious. `released`: it goes on, and one that is still
 * held (`fraud`) waits for the buyer to agree to a new price. `refused`: it never will.
 */
export type HoldDecision = "released" | "refused"

/** An order as the books know it. */
export type Order = {
  readonly id: string
  readonly kind: OrderKind
  readonly invoiceId: string
  /** The service it makes, or adds to. */
  readonly serviceId: string
  readonly customerId: string
  /** What whoever placed it had proven; null: no more than that he can type the e-mail, or that is not known. */
  readonly accessScope: AccessScope | null
  readonly status: OrderStatus
  readonly decision: HoldDecision | null
  readonly lines: readonly QuoteLine[]
  readonly total: Money
  /** What gateways have confirmed so far, less what they have refunded. */
  readonly received: Money
  /** What of it has gone to the customer's credit; below zero: what his credit has paid of it. */
  readonly credited: Money
  /** The one the buyer has chosen last. */
  readonly gateway: GatewayId
  readonly locale: LocaleCode
  readonly placedAt: Instant
  readonly deadline: Instant
}
