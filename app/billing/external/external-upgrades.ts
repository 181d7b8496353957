import type { UpgradePrice } from "~/billing/services/plan-upgrades"
import type { Instant } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import type { Money } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { ExternalOrderRef, PlacedExternally } from "./external-orders"

/** Changes of a service's plan or cycle in a system whose API prices and orders them. */
export interface ExternalUpgrades {
  /** What the system charges for a change now. Orders nothing. Throws `refused` if it does not allow the change. */
  priceUpgrade(upgrade: UpgradeTarget): Promise<UpgradePrice>
  /**
   * Orders a change at exactly `total`; the invoice is null if nothing is to be paid. Not idempotent: after `unavailable` the
   * caller must look it up with `findUpgrade` before a retry.
   */
  placeUpgrade(upgrade: ExternalUpgrade): Promise<PlacedExternally>
  /** The order that an earlier `placeUpgrade` with the same `orderId` created; null if none. */
  findUpgrade(upgrade: ExternalUpgrade): Promise<PlacedExternally | null>
  /** Accepts an order whose invoice is paid, if the system waits for that. False while the service has not changed. Idempotent. */
  carryOutUpgrade(upgrade: PaidUpgrade): Promise<boolean>
}

export type UpgradeTarget = {
  readonly customerId: string
  readonly serviceId: string
  readonly productId: string
  readonly cycle: Cycle
  readonly gateway: GatewayId
}

export type PaidUpgrade = UpgradeTarget &
  Pick<ExternalOrderRef, "kind" | "number" | "username" | "orderId" | "invoiceId">

export type ExternalUpgrade = UpgradeTarget & {
  /** Our order number: not guessable, and the same on every retry. */
  readonly orderId: string
  /** What the customer accepted to pay. */
  readonly total: Money
  /** When the order was placed locally. An external order created earlier is no match. */
  readonly at: Instant
}
