import { join } from "node:path"
import type { Logger } from "pino"
import { openIn } from "~/config/config.server"
import type { Config } from "~/config/environment.server"
import type { Gateways } from "~/context/services.server"
import { type Instant, SECOND } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { openBtcpay } from "~/gateways/btcpay/btcpay.server"
import { withOnSiteCache } from "~/gateways/cached-on-site.server"
import { gatewayCircuit } from "~/gateways/circuit"
import { withCircuitBreaker } from "~/gateways/circuit-breaker.server"
import { openCoinbase } from "~/gateways/coinbase/coinbase.server"
import { openCryptomus } from "~/gateways/cryptomus/cryptomus.server"
import type { Gateway, MonitoredGateway } from "~/gateways/gateway"
import { openOffshore } from "~/gateways/offshore/offshore.server"
import type { Circuit } from "~/http/circuit"
import { hostInUrl } from "~/http/ip-address.server"
import type { Sandbox } from "~/sandbox/sandbox.server"
import {
  btcpaySettings,
  coinbaseSettings,
  cryptomusSettings,
  offshoreSettings,
  sandboxSettings,
} from "./gateway-settings.server"
import { makePrivateFile, makePrivateFolder } from "./private-files.server"

/** The external billing, which may have payment gateways of its own. */
type ExternalGateways = { gateway(id: GatewayId): Gateway | null } | null

type GatewayContext = { readonly now: () => Instant; readonly sandbox: Pick<Sandbox, "origin"> | null }

/** Creates a gateway by id, connected to its provider or to the sandbox. */
export const openGateway: Record<GatewayId, (config: Config, gatewayContext: GatewayContext) => Gateway> = {
  offshore: (config, { sandbox }) =>
    openOffshore({
      url: config.OFFSHORE_URL ?? `${sandbox?.origin}/offshore`,
      payOrigin: config.OFFSHORE_CHECKOUT_ORIGIN,
      ...offshoreSettings(config),
      timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    }),
  coinbase: (config, { sandbox, now }) =>
    openCoinbase({
      url: config.COINBASE_URL ?? (sandbox ? `${sandbox.origin}${SANDBOX_CHECKOUTS}` : CHECKOUTS),
      ...(!sandbox && { payOrigin: "https://payments.coinbase.com" }),
      ...coinbaseSettings(config),
      now,
      timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    }),
  cryptomusgateway: (config, { sandbox, now }) =>
    openCryptomus({
      ...cryptomusSettings(config, sandbox?.origin ?? null),
      now,
      timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    }),
  btcpay: (config, { sandbox, now }) =>
    openBtcpay({
      url: config.BTCPAY_URL ?? `${sandbox?.origin}/btcpay`,
      ...btcpaySettings(config),
      now,
      timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    }),
}

type Surroundings = GatewayContext & { readonly externalGateways: ExternalGateways; readonly log: Logger }

/** All gateways in use, each with a circuit breaker and cached on-site details. */
export function openGateways(
  config: Config,
  { externalGateways, log, ...gatewayContext }: Surroundings,
): Gateways {
  const { now } = gatewayContext
  // Bulkhead: calls that wait for one gateway leave room for the others and for pages.
  const maxConcurrent = Math.ceil(config.MAX_CONCURRENT_REQUESTS / 2)
  const circuitOf = (gateway: string) => gatewayCircuit({ now, log: log.child({ gateway }) })
  // One circuit for all gateways of the external billing: they are one system, which recovers for all of them at once.
  const external = circuitOf("billing")
  const monitored = (gateway: Gateway, circuit: Circuit) =>
    withOnSiteCache(withCircuitBreaker(gateway, { maxConcurrent, circuit }))
  function opened(id: GatewayId): MonitoredGateway {
    const gateway = externalGateways?.gateway(id)
    return gateway
      ? monitored(gateway, external)
      : monitored(openGateway[id](config, gatewayContext), circuitOf(id))
  }
  return new Map(openIn(config).map((id) => [id, opened(id)]))
}

/** The same without circuit breakers, for the command line; the shop's sandbox may be running in another process. */
export function gatewaysOf(
  config: Config,
  { externalGateways, now }: { externalGateways: ExternalGateways; now: () => Instant },
): ReadonlyMap<GatewayId, Gateway> {
  const origin = `http://${hostInUrl(config.HOST)}:${config.SANDBOX_PORT}`
  const gatewayContext = { now, sandbox: config.sandbox ? { origin } : null }
  return new Map(
    openIn(config).map((id) => [
      id,
      externalGateways?.gateway(id) ?? openGateway[id](config, gatewayContext),
    ]),
  )
}

const CHECKOUTS = "https://business.coinbase.com/api/v1/checkouts"
/** How long a late answer of the sandbox's receiver of events takes. */
const LATE_ANSWER = 5 * SECOND

const SANDBOX_CHECKOUTS = "/coinbase/api/v1/checkouts"

/** Loads the sandbox, which no other module imports, and opens it with the shop's accounts. */
export async function openSandbox(
  config: Config,
  { now, log }: { now: () => Instant; log: Logger },
): Promise<Sandbox> {
  const { startSandbox } = await import("~/sandbox/sandbox.server")
  return startSandbox({
    host: config.HOST,
    port: config.SANDBOX_PORT,
    file: sandboxFile(config),
    ...sandboxSettings(config),
    // A public sandbox redirects buyers and sends callbacks to this shop only; on loopback several shops may use it.
    ...(!config.loopback && { shops: [config.PUBLIC_URL] }),
    ...(config.loopback && {
      mailbox: { port: config.SANDBOX_SMTP_PORT },
      receiver: { lateMs: LATE_ANSWER },
    }),
    now,
    log: log.child({ from: "sandbox" }),
  })
}

function sandboxFile({ DATA_DIR }: Config): string {
  const file = join(DATA_DIR, "sandbox.db")
  makePrivateFolder(DATA_DIR)
  makePrivateFile(file)
  return file
}
