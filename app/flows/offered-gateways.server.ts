import type { Coin } from "~/domain/coin"
import type { GatewayId } from "~/domain/gateway-id"
import { hostOf } from "~/domain/host"
import { type Gateway, GatewayError } from "~/gateways/gateway"
import type { Services } from "~/services.server"

export type OfferedGateway = {
  readonly id: GatewayId
  readonly host: string
  /** What can be paid in on our own page; none where payments are made on the provider's. */
  readonly coins: readonly Coin[]
}

/** The ways to pay, in the operator's order, with where each leads. */
export async function offeredGateways(services: Services): Promise<readonly OfferedGateway[]> {
  return Promise.all(
    [...services.gateways.values()].map(async (gateway) => ({
      ...{ id: gateway.id, host: hostOf(gateway.origins[0]) },
      coins: await coinsAt(services, gateway),
    })),
  )
}

/** A provider that does not say what it takes is offered by its own page. */
async function coinsAt({ log }: Services, { id, direct }: Gateway): Promise<readonly Coin[]> {
  try {
    return (await direct?.coins()) ?? []
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    log.warn({ gateway: id, kind: error.kind }, "gateway does not say what it takes")
    return []
  }
}
