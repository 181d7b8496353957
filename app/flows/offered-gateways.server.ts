import type { GatewayId } from "~/domain/gateway-id"
import { hostOf } from "~/domain/host"
import type { Services } from "~/services.server"

export type OfferedGateway = { readonly id: GatewayId; readonly host: string }

/** The ways to pay, in the operator's order, with where each leads. */
export function offeredGateways({ gateways }: Services): readonly OfferedGateway[] {
  return [...gateways.values()].map((gateway) => ({ id: gateway.id, host: hostOf(gateway.origins[0]) }))
}
