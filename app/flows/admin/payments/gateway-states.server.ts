import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"

export type GatewayState = {
  readonly id: GatewayId
  /** Offered for new orders; otherwise it only finishes the payments that it has. */
  readonly isOffered: boolean
  /** Whether the configuration offers it. */
  readonly isEnabled: boolean
  /** Since when an operator has drained it; null: none has. */
  readonly drainedSince: Instant | null
  /** Since when it has not answered this process; null while it answers. */
  readonly downSince: Instant | null
  /** Its last answer to this process; null: none since the start. */
  readonly lastSuccessAt: Instant | null
  /** Orders with an open payment there, at most 1,000. */
  readonly waitingOrders: number
}

/** Every gateway of the shop, those that do not answer first. */
export async function gatewayStates({
  gateways,
  enabledGateways,
  console,
}: ConsoleServices): Promise<readonly GatewayState[]> {
  const drained = new Map((await console.drains.list()).map(({ gateway, since }) => [gateway, since]))
  const states = await Promise.all(
    [...gateways.values()].map(async (gateway) => {
      const isEnabled = enabledGateways.includes(gateway.id)
      const drainedSince = drained.get(gateway.id) ?? null
      return {
        id: gateway.id,
        isOffered: isEnabled && drainedSince === null,
        isEnabled,
        drainedSince,
        ...gateway.health(),
        waitingOrders: await console.overview.waitingOrders(gateway.id),
      }
    }),
  )
  return states.toSorted((a, b) => Number(b.downSince !== null) - Number(a.downSince !== null))
}
