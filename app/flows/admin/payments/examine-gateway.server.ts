import type { ConsoleOverview, GatewayStats } from "~/billing/console-overview"
import type { Diagnostic } from "~/billing/diagnostic"
import { type Instant, SECOND } from "~/domain/calendar"
import { type Gateway, GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"

export type ExaminedGateway = {
  readonly reachable: Omit<Diagnostic, "check">
  readonly rejectsForgedCallback: boolean
  /** At most 1,000. */
  readonly waitingOrders: number
  readonly stats: GatewayStats
}

/** Asks a gateway now, and looks at its recent activity. It reads many payments: an operator asks for it. */
export async function examineGateway(
  overview: Pick<ConsoleOverview, "gatewayStats" | "waitingOrders">,
  gateway: Gateway,
  now: Instant,
): Promise<ExaminedGateway> {
  const [reachable, stats, waitingOrders] = await Promise.all([
    reachGateway(gateway),
    overview.gatewayStats(gateway.id, now),
    overview.waitingOrders(gateway.id),
  ])
  return { reachable, rejectsForgedCallback: !acceptsForgery(gateway, now), waitingOrders, stats }
}

/** The same in words, as the admin CLI and the console say it. `timeText`: writes an instant. */
export function gatewayDiagnostics(
  { reachable, rejectsForgedCallback, waitingOrders, stats }: ExaminedGateway,
  timeText: (at: Instant) => string,
): readonly Diagnostic[] {
  const { lastUpdateAt, open, refused } = stats
  const rejected = refused.map(({ reason, count }) => `${count} × ${reason}`).join("; ")
  return [
    { check: "reachable", ...reachable },
    {
      check: "forged callback",
      ok: rejectsForgedCallback,
      message: rejectsForgedCallback ? "rejected (ok)" : "ACCEPTED: check its secrets",
    },
    {
      check: "last update",
      ok: lastUpdateAt === null ? null : true,
      message: lastUpdateAt === null ? "none" : timeText(lastUpdateAt),
    },
    { check: "open payments", ok: null, message: String(open) },
    { check: "waiting orders", ok: null, message: String(waitingOrders) },
    { check: "rejected in the last 7 days", ok: null, message: rejected || "none" },
  ]
}

/** An unknown payment id in a form that every provider accepts as valid. */
const UNKNOWN_PAYMENT = "00000000-0000-4000-8000-000000000000"

/** Checks a gateway by polling an unknown payment. Any rejection except of the API key proves that it is reachable. */
export async function reachGateway(
  gateway: Pick<Gateway, "fetchPayment">,
): Promise<Omit<Diagnostic, "check">> {
  try {
    const update = await gateway.fetchPayment({ paymentId: UNKNOWN_PAYMENT })
    if (update === null) return { ok: null, message: "not supported, callbacks only" }
    return { ok: true, message: "ok" }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    if (error.refusesKey) return { ok: false, message: "API KEY REJECTED: check its settings" }
    const { ok, message } = diagnosticByError[error.kind]
    return { ok, message: ok === true ? message : `${message}: ${reasonOf(error)}` }
  }
}

/** What an error says, and its innermost cause if that says more, such as that a certificate has expired. */
function reasonOf(error: Error): string {
  let root = error
  while (root.cause instanceof Error) root = root.cause
  return error.message.includes(root.message) ? error.message : `${error.message}: ${root.message}`
}

const diagnosticByError: Record<GatewayError["kind"], Omit<Diagnostic, "check">> = {
  refused: { ok: true, message: "ok" },
  // An outage may be temporary and is no configuration error, so the check does not fail.
  unavailable: { ok: null, message: "UNREACHABLE" },
  unreadable: { ok: false, message: "INVALID RESPONSE, check its address and keys" },
}

/** Whether the gateway accepts a well-formed callback with a forged signature. */
function acceptsForgery(gateway: Gateway, now: Instant): boolean {
  try {
    return gateway.parseCallback(forgedCallback(now)) !== null
  } catch (error) {
    return !(error instanceof UntrustedCallbackError)
  }
}

/**
 * A callback with a well-formed but invalid signature. One fits every gateway module, because each reads only its own signature
 * header or member.
 */
function forgedCallback(at: Instant): RawCallback {
  const seconds = Math.floor(at / SECOND)
  const headers = new Headers({
    "webhook-id": "msg_forged",
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${"A".repeat(43)}=`,
    "x-hook0-signature": `t=${seconds},v0=${"0".repeat(64)}`,
    "btcpay-sig": `sha256=${"0".repeat(64)}`,
  })
  return { headers, body: Buffer.from(`{"sign":"${"0".repeat(32)}"}`), at, address: null }
}
