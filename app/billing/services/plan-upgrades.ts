import type { Instant } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import type { Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { NewUpsell } from "../orders/new-order"

/**
 * Port of changes of plan and billing cycle in an external billing system, which computes their prices itself. Embedded billing
 * has none: see `PlanChanges`. Every call may throw a `BillingError`.
 */
export interface PlanUpgrades {
  /** What external billing charges for a change now. Orders nothing. Throws "refused" if it does not allow the change. */
  priceUpgrade(upgrade: PlanUpgrade): Promise<UpgradePrice>
  /** The unpaid order that changes a service's plan, if there is one. */
  openUpgrade(serviceId: string, at: Instant): Promise<Order | null>
  /**
   * Creates the order of a change, here and in external billing. An unpaid one for the same service, plan and amount is continued.
   * Idempotent by `key`. Throws "refused" if the service has another unpaid change, if external billing does not allow the
   * change, or if another order has used the key.
   */
  placeUpgrade(upgrade: NewPlanUpgrade): Promise<Order>
}

export type PlanUpgrade = {
  readonly customerId: string
  readonly serviceId: string
  readonly productId: string
  readonly cycle: Cycle
  /** The payment method that the order would name. */
  readonly gateway: GatewayId
}

export type UpgradePrice = {
  /** Below zero: external billing owes the customer the difference, and decides itself what becomes of it. */
  readonly price: Money
  /** An earlier change of the service is unpaid there: another one cannot be ordered. */
  readonly isBlocked: boolean
}

/** Its quote has one line, which names the plan and its months. */
export type NewPlanUpgrade = Omit<NewUpsell, "quantity" | "holdReason">
