import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"

export type GatewayDrain = { readonly gateway: GatewayId; readonly since: Instant }

/** Whether one of the enabled gateways is not drained. */
export function isAnyOffered(enabled: readonly GatewayId[], drains: readonly GatewayDrain[]): boolean {
  return enabled.some((id) => !drains.some(({ gateway }) => gateway === id))
}

/** Gateways that finish their payments and get no new orders, shared by all instances. Every call may throw a `BillingError`. */
export interface GatewayDrains {
  /** The gateways that are drained. */
  list(): Promise<readonly GatewayDrain[]>
  /**
   * Stops offering a gateway: `Catalogue.gateways` lists it no more. Idempotent: a drained gateway keeps its time.
   * Changes nothing and answers false if it is the last of `offered` that is not drained.
   */
  drain(
    gateway: GatewayId,
    drain: { readonly at: Instant; readonly offered: readonly GatewayId[] },
  ): Promise<boolean>
  /** Offers it again. Idempotent. */
  offer(gateway: GatewayId): Promise<void>
}
