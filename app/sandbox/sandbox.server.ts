import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { DatabaseSync } from "node:sqlite"
import type { Logger } from "pino"
import { type Instant, SECOND } from "~/domain/calendar"
import { hostInUrl } from "~/http/ip-address.server"
import type { SandboxBtcpaySettings } from "./btcpay/api.server"
import { btcpayRoutes } from "./btcpay/protocol.server"
import { btcpaySigner } from "./btcpay/wire.server"
import { type CallbackMessage, reportsIn } from "./callback-queue.server"
import { startCallbackSender } from "./callback-sender.server"
import type { SandboxCoinbaseSettings } from "./coinbase/api.server"
import { coinbaseRoutes } from "./coinbase/protocol.server"
import { coinbaseSigner } from "./coinbase/wire.server"
import type { SandboxCryptomusSettings } from "./cryptomus/api.server"
import { cryptomusRoutes } from "./cryptomus/protocol.server"
import { openDatabase } from "./database.server"
import { unavailableResponse } from "./html-response.server"
import { openMailbox } from "./mailbox/mailbox.server"
import type { LinkSettings } from "./offshore/link.server"
import { offshoreRoutes } from "./offshore/protocol.server"
import { offshoreSigner } from "./offshore/wire.server"
import { paymentsIn } from "./payments.server"
import { receiverRoutes } from "./receiver/receiver.server"
import { type Route, routeRequest } from "./router.server"
import { viesRoutes } from "./vies/vies.server"

export type SandboxSettings = {
  /** 0 selects a free port. */
  port: number
  host: string
  /** SQLite file for payments and pending callbacks; created if missing. */
  file: string
  /** Standard Webhooks secret (`whsec_…`) that signs the offshore callbacks. */
  callbackSecret: string
  /** The shop's account for offshore link mode; without it only the API mode is available. */
  offshoreLinks?: LinkSettings
  /** The shop's account at the Coinbase-style gateway; without it that gateway is disabled. */
  coinbase?: SandboxCoinbaseSettings
  /** The shop's account at the BTCPay-style gateway; without it that gateway is disabled. */
  btcpay?: SandboxBtcpaySettings
  /** The shop's account at the Cryptomus-style gateway; without it that gateway is disabled. */
  cryptomus?: SandboxCryptomusSettings
  /**
   * The mailbox and its SMTP port (0 selects a free one). Without it there is none: the mailbox shows messages to everybody
   * who reaches the sandbox, which is safe on a local machine only.
   */
  mailbox?: { readonly port: number }
  /**
   * A receiver of the shop's events under `/webhooks`. It shows them to everybody who reaches the sandbox, as the mailbox does.
   * `lateMs`: how many milliseconds a late answer takes.
   */
  receiver?: { readonly lateMs: number }
  /** Public origin of the sandbox, if it differs from the listen address. */
  publicOrigin?: string
  /** Origins of the shops that may use the sandbox; without it any may, which is safe on a local machine only. */
  shops?: readonly string[]
  now: () => Instant
  log: Logger
}

export type Sandbox = {
  readonly origin: string
  /** Where the shop sends its mail; null without a mailbox. */
  readonly smtpUrl: string | null
  close(): Promise<void>
}

/**
 * Starts the simulated payment provider: the offshore gateway under `/offshore`, and the Coinbase-, Cryptomus- and BTCPay-style
 * gateways under `/coinbase`, `/cryptomus` and `/btcpay`; the mailbox under `/mailbox`, a receiver of the shop's events under
 * `/webhooks`, and a VIES that confirms numbers for tax under `/vies`. Throws when a port is in use, the file cannot be opened or
 * the callback secret is malformed.
 */
export async function startSandbox(settings: SandboxSettings): Promise<Sandbox> {
  const { now, log } = settings
  const sign = signers(settings)
  const database = openDatabase(settings.file)
  const mailbox = await mailboxOf(settings, database)
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
  const { coinbase, cryptomus, btcpay, offshoreLinks, receiver } = settings
  const routes = [
    frontPage({ mailbox: mailbox !== null, receiver: receiver !== undefined }),
    ...(mailbox?.routes ?? []),
    ...(receiver ? receiverRoutes({ ...tools, ...receiver }) : []),
    ...viesRoutes(),
    ...offshoreRoutes(tools, offshoreLinks),
    ...(coinbase ? coinbaseRoutes(tools, coinbase) : []),
    ...(cryptomus ? cryptomusRoutes(tools, cryptomus) : []),
    ...(btcpay ? btcpayRoutes(tools, btcpay) : []),
  ]

  async function stop() {
    await callbackSender.stop()
    await mailbox?.close()
    database.close()
  }

  const server = createServer({ requestTimeout: 15 * SECOND }, routeRequest(routes, log))
  const port = await listening(server, settings).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  origin ||= `http://${hostInUrl(settings.host)}:${port}`
  return {
    origin,
    smtpUrl: mailbox?.smtpUrl ?? null,
    async close() {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
      await stop()
    },
  }
}

async function mailboxOf({ mailbox, now, log }: SandboxSettings, database: DatabaseSync) {
  if (!mailbox) return null
  try {
    return await openMailbox({ database, port: mailbox.port, now, log })
  } catch (error) {
    database.close()
    throw error
  }
}

/** Landing page at the root path. */
function frontPage(links: { readonly mailbox: boolean; readonly receiver: boolean }): Route {
  return {
    method: "GET",
    path: /^\/$/,
    handle: ({ request }) =>
      unavailableResponse(request, { status: 200, reason: "front", protocol: null, ...links }),
  }
}

/** Signers by protocol. Cryptomus-style callbacks need none: their body contains the signature. */
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
  await once(server, "listening").catch((cause: Error) => {
    throw new Error(`Cannot listen on SANDBOX_PORT ${port}: ${cause.message}`, { cause })
  })
  const address = server.address()
  return typeof address === "object" && address ? address.port : port
}
