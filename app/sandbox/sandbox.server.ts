import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { Logger } from "pino"
import { type Instant, SECOND } from "~/domain/calendar"
import type { BtcpayAccount } from "./btcpay/api.server"
import { btcpayRoutes } from "./btcpay/protocol.server"
import { btcpaySigner } from "./btcpay/wire.server"
import { type CallbackMessage, reportsIn } from "./callback-queue.server"
import { startCallbackSender } from "./callback-sender.server"
import type { CoinbaseAccount } from "./coinbase/api.server"
import { coinbaseRoutes } from "./coinbase/protocol.server"
import { coinbaseSigner } from "./coinbase/wire.server"
import type { CryptomusAccount } from "./cryptomus/api.server"
import { cryptomusRoutes } from "./cryptomus/protocol.server"
import { openDatabase } from "./database.server"
import { unavailableResponse } from "./html-response.server"
import type { LinkAccount } from "./offshore/link.server"
import { offshoreRoutes } from "./offshore/protocol.server"
import { offshoreSigner } from "./offshore/wire.server"
import { paymentsIn } from "./payments.server"
import { type Route, routeRequest } from "./router.server"

export type SandboxSettings = {
  /** 0 takes any free port. */
  port: number
  host: string
  /** Where payments and callbacks still to be sent are kept; made if missing. */
  file: string
  /** The Standard Webhooks secret (`whsec_…`) that signs callbacks. */
  callbackSecret: string
  /** The shop's account for signed links at the offshore gateway; without one there is only its API. */
  offshoreLinks?: LinkAccount
  /** The shop's account with the Coinbase-style gateway; without one that gateway is not there. */
  coinbase?: CoinbaseAccount
  /** The same for the BTCPay-style gateway. */
  btcpay?: BtcpayAccount
  /** The same with the Cryptomus-style one. */
  cryptomus?: CryptomusAccount
  /** Where buyers reach the sandbox, when it is not the address it listens on. */
  publicOrigin?: string
  /** Origins of the shops that may use it; without a list any may, which only suits one's own machine. */
  shops?: readonly string[]
  now: () => Instant
  log: Logger
}

export type Sandbox = { origin: string; close(): Promise<void> }

/**
 * Starts the payment provider for trying things out: the offshore gateway under `/offshore`, the Coinbase-style one
 * under `/coinbase`, the Cryptomus-style one under `/cryptomus`, the BTCPay-style one
 * under `/btcpay`. Throws when the port is taken, the file cannot be
 * opened or the secret is none.
 */
export async function startSandbox(settings: SandboxSettings): Promise<Sandbox> {
  const { now, log } = settings
  const sign = signers(settings)
  const database = openDatabase(settings.file)
  const reports = reportsIn(database)
  const callbackSender = startCallbackSender({ reports, sign, now, log })
  let origin = settings.publicOrigin ?? ""
  const tools = {
    database,
    payments: paymentsIn(database),
    reports,
    wakeCallbackSender: callbackSender.wake,
    now,
    origin: () => origin,
    shops: settings.shops ?? null,
  }
  const { coinbase, cryptomus, btcpay, offshoreLinks } = settings
  const routes = [
    frontPage,
    ...offshoreRoutes(tools, offshoreLinks),
    ...(coinbase ? coinbaseRoutes(tools, coinbase) : []),
    ...(cryptomus ? cryptomusRoutes(tools, cryptomus) : []),
    ...(btcpay ? btcpayRoutes(tools, btcpay) : []),
  ]

  async function stop() {
    await callbackSender.stop()
    database.close()
  }

  const server = createServer({ requestTimeout: 15 * SECOND }, routeRequest(routes, log))
  const port = await listening(server, settings).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  origin ||= `http://${reachable(settings.host)}:${port}`
  return {
    origin,
    async close() {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
      await stop()
    },
  }
}

/** Where somebody lands who opens the provider's address by itself. */
const frontPage: Route = {
  method: "GET",
  path: /^\/$/,
  answer: ({ request }) => unavailableResponse(request, { status: 200, reason: "front", protocol: null }),
}

/** Each protocol signs in its own way what it tells the shop; Cryptomus-style reports have it in their body. */
function signers({ callbackSecret, coinbase, btcpay }: SandboxSettings) {
  const signer: Record<string, (report: CallbackMessage, at: Instant) => Record<string, string>> = {
    offshore: offshoreSigner(callbackSecret),
    ...(coinbase && { coinbase: coinbaseSigner(coinbase.hookSecret) }),
    ...(btcpay && { btcpay: btcpaySigner(btcpay.webhookSecret) }),
  }
  return (report: CallbackMessage, at: Instant) => signer[report.protocol]?.(report, at) ?? {}
}

async function listening(server: Server, { port, host }: SandboxSettings): Promise<number> {
  server.listen(port, host)
  await once(server, "listening")
  const address = server.address()
  return typeof address === "object" && address ? address.port : port
}

/** A server that listens on every address is reached on this machine by the loopback one. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1"
  return host.includes(":") ? `[${host}]` : host
}
