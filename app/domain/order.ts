import { DAY, type Instant } from "./calendar"
import type { GatewayId } from "./gateway-id"
import type { LocaleCode } from "./locales"
import type { Money } from "./money"
import type { OrderStatus } from "./order-status"
import type { QuoteLine } from "./pricing"

/** How long the price of an order holds unpaid (spec, section 9). */
export const PAYMENT_DEADLINE = DAY

/** An order as the books know it. */
export type Order = {
  readonly id: string
  readonly invoiceId: string
  readonly serviceId: string
  readonly customerId: string
  readonly status: OrderStatus
  readonly lines: readonly QuoteLine[]
  readonly total: Money
  /** Confirmed payments so far. */
  readonly received: Money
  readonly gateway: GatewayId
  readonly locale: LocaleCode
  readonly placedAt: Instant
  readonly deadline: Instant
}
