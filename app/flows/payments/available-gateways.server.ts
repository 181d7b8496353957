import { BillingError } from "~/billing/billing"
import type { Services } from "~/context/services.server"
import type { Coin } from "~/domain/coin"
import type { GatewayId } from "~/domain/gateway-id"
import { hostOf } from "~/domain/host"
import { type Gateway, GatewayError } from "~/gateways/gateway"

export type OfferedGateway = {
  readonly id: GatewayId
  readonly host: string
  /** What can be paid in on our own page; none where payments are made on the provider's. */
  readonly coins: readonly Coin[]
  /** It does not answer at the moment. */
  readonly troubled: boolean
}

/** The ways to pay, in the operator's order but for those in trouble, which come last; with where each leads. */
export async function offeredGateways(services: Services): Promise<readonly OfferedGateway[]> {
  const ids = await offeredIds(services)
  const offered = await Promise.all(ids.map((id) => offerOf(services, id)))
  const known = offered.filter((it) => it !== null)
  return [...known.filter(({ troubled }) => !troubled), ...known.filter(({ troubled }) => troubled)]
}

/** Whether a new order may be paid by a gateway: the shop offers it, and the books take it (spec: getGateway). */
export async function isOffered(services: Services, id: GatewayId): Promise<boolean> {
  return (await offeredIds(services)).includes(id)
}

async function offeredIds(services: Services): Promise<readonly GatewayId[]> {
  const { catalogue, offered, log } = services
  try {
    const taken = await catalogue.gateways()
    return offered.filter((id) => taken.includes(id))
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    log.error({ err: error }, "no list of gateways")
    return offered
  }
}

/** Where a gateway leads stays as it is while the shop runs. */
const hosts = new WeakMap<Gateway, string>()

async function offerOf(services: Services, id: GatewayId): Promise<OfferedGateway | null> {
  const gateway = services.gateways.get(id)
  if (!gateway) return null
  const host = hosts.get(gateway) ?? hostOf(gateway.origins[0])
  hosts.set(gateway, host)
  return { id, host, coins: await coinsAt(services, gateway), troubled: !gateway.healthy() }
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
