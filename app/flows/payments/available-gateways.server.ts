import { BillingError } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"
import { hostOf } from "~/domain/host"
import { defaultLocale, type LocaleCode, localeOfCode } from "~/domain/locales"
import type { Coin } from "~/domain/payments/coin"
import type { GatewayId } from "~/domain/payments/gateway-id"
import {
  coinMinutes,
  type MethodWords,
  methodsInOrder,
  methodWords,
  minutesText,
} from "~/domain/shop/payment-methods"
import { type Gateway, GatewayError } from "~/gateways/gateway"

export type AvailableGateway = {
  readonly id: GatewayId
  readonly host: string
  /** Coins for on-site payment; empty if payments are made on the provider's page. */
  readonly coins: readonly OfferedCoin[]
  /** The gateway is unavailable at the moment (circuit open). */
  readonly isDegraded: boolean
  /** The operator's words in the buyer's language, and the usual time. */
  readonly words: MethodWords
}

/** A coin with the time that a payment by it usually takes, as a text; null: nobody knows. */
export type OfferedCoin = Coin & { readonly time: string | null }

/** Available gateways with their hosts, in the operator's order; degraded ones last. */
export async function availableGateways(
  services: LoggedServices,
  locale: LocaleCode,
): Promise<readonly AvailableGateway[]> {
  const ids = methodsInOrder(services.shop.methods, await offeredIds(services))
  const enabledGateways = await Promise.all(ids.map((id) => offerOf(services, id, locale)))
  const known = enabledGateways.filter((it) => it !== null)
  return [...known.filter(({ isDegraded }) => !isDegraded), ...known.filter(({ isDegraded }) => isDegraded)]
}

/** Whether a new order may use a gateway: the shop and the billing backend offer it (billing API: getGateway). */
export async function isOffered(
  services: Pick<LoggedServices, "catalogue" | "enabledGateways" | "log">,
  id: GatewayId,
): Promise<boolean> {
  return (await offeredIds(services)).includes(id)
}

/** The refusal of an order by a gateway that is not offered, or not any more. */
export const gatewayGone = { kind: "rejected", field: "gateway", reason: "checkout.gateway.gone" } as const

/** The same where no other one is offered either. */
const noGateway = { ...gatewayGone, reason: "checkout.gateway.none" } as const

/**
 * The refusal of a new order by a gateway that is not offered; null: the order may be placed. One of which nothing is left to pay asks no
 * gateway for anything: `isCovered` is read where the gateway is not offered.
 */
export async function refusedGateway(
  services: Pick<LoggedServices, "catalogue" | "enabledGateways" | "log">,
  id: GatewayId,
  isCovered: () => Promise<boolean>,
): Promise<typeof gatewayGone | typeof noGateway | null> {
  const offered = await offeredIds(services)
  if (offered.includes(id) || (await isCovered())) return null
  return offered.length > 0 ? gatewayGone : noGateway
}

/** The gateway that a form names first: the first one offered, or else any, for orders that account credit pays whole. */
export function presetGateway(
  { enabledGateways }: Pick<LoggedServices, "enabledGateways">,
  offered: readonly AvailableGateway[],
): GatewayId | null {
  return offered[0]?.id ?? enabledGateways[0] ?? null
}

async function offeredIds(
  services: Pick<LoggedServices, "catalogue" | "enabledGateways" | "log">,
): Promise<readonly GatewayId[]> {
  const { catalogue, enabledGateways, log } = services
  try {
    const taken = await catalogue.gateways()
    return enabledGateways.filter((id) => taken.includes(id))
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    log.error({ err: error }, "gateway list unavailable")
    return enabledGateways
  }
}

/** Hosts by gateway; constant while the shop runs. */
const hosts = new WeakMap<Gateway, string>()

async function offerOf(
  services: Pick<LoggedServices, "gateways" | "log" | "shop">,
  id: GatewayId,
  locale: LocaleCode,
): Promise<AvailableGateway | null> {
  const gateway = services.gateways.get(id)
  if (!gateway) return null
  const host = hosts.get(gateway) ?? hostOf(gateway.origins[0])
  hosts.set(gateway, host)
  const words = methodWords(services.shop.methods, id, locale)
  const iso = (localeOfCode(locale) ?? defaultLocale).iso
  const coins = (await coinsAt(services, gateway)).map((coin) => {
    const minutes = coinMinutes(services.shop.methods, id, coin)
    return { ...coin, time: minutes && minutesText(minutes, iso) }
  })
  return { id, host, coins, isDegraded: !gateway.healthy(), words }
}

/** Coins of a gateway; empty on failure, so that the provider's own page is offered. */
async function coinsAt(
  { log }: Pick<LoggedServices, "log">,
  { id, onSite }: Gateway,
): Promise<readonly Coin[]> {
  try {
    return (await onSite?.coins()) ?? []
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    log.warn({ gateway: id, kind: error.kind }, "coin list unavailable")
    return []
  }
}
