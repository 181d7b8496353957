import { BillingError } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { PaymentUpdate } from "~/domain/payments/payment"
import {
  type CallbackHint,
  type Gateway,
  GatewayError,
  type RawCallback,
  UntrustedCallbackError,
} from "~/gateways/gateway"
import { recordPaymentUpdate, recordUnapplied, unappliedReason } from "./record-payment-update.server"

export type Reception =
  /** `accepted`: the update is stored, applied or not, or concerns no payment of this shop. */
  | { readonly kind: "accepted" | "no-such-gateway" }
  /** Invalid signature or body. `retryAfterSeconds`: 0 below the rate limit. */
  | { readonly kind: "rejected"; readonly retryAfterSeconds: number }

/**
 * Verifies a gateway's callback and records its update (specification, Payments). A callback that only notifies of a
 * change is followed by a poll. An update that cannot be applied is stored for the operator and accepted, since a repeat
 * would not help. Throws `GatewayError` "unavailable" if that poll fails: the gateway then repeats the callback.
 */
export async function receiveCallback(
  services: LoggedServices,
  id: GatewayId,
  callback: RawCallback,
): Promise<Reception> {
  const gateway = services.gateways.get(id)
  if (!gateway) return { kind: "no-such-gateway" }
  try {
    await apply(services, gateway, callback)
    return { kind: "accepted" }
  } catch (error) {
    if (!(error instanceof UntrustedCallbackError)) throw error
    return {
      kind: "rejected",
      retryAfterSeconds: await recordRejectedCallback(services, { id, callback }, error.message),
    }
  }
}

async function apply(services: LoggedServices, gateway: Gateway, callback: RawCallback): Promise<void> {
  let update: ReturnType<Gateway["parseCallback"]> = null
  try {
    update = gateway.parseCallback(callback)
    const paymentUpdate = update && (await resolveUpdate(gateway, update))
    if (paymentUpdate) await recordPaymentUpdate(services, gateway.id, paymentUpdate)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    await recordUnappliedOrThrow(services, gateway, { error, ...namedIn(update, error) })
  }
}

type Named = { readonly attemptId: string | null; readonly paymentId: string | null }
type Failed = Named & { readonly error: GatewayError }

/** What a callback that cannot be applied is about, as far as it could be parsed. */
function namedIn(update: PaymentUpdate | CallbackHint | null, error: GatewayError): Named {
  if (!update) return { attemptId: error.attemptId, paymentId: null }
  return { attemptId: update.attemptId, paymentId: "paymentId" in update ? update.paymentId : null }
}

/** Stores an update that cannot be applied; rethrows where a repeated callback may succeed. */
async function recordUnappliedOrThrow(
  services: Pick<LoggedServices, "log" | "now" | "payments">,
  { id: gateway }: Gateway,
  failed: Failed,
): Promise<void> {
  const { error, ...named } = failed
  const reason = unappliedReason(error)
  if (!reason) throw new GatewayError("unavailable", error.message, { cause: error })
  await recordUnapplied(services, { gateway, reason, ...named, detail: error.message })
}

async function resolveUpdate(
  gateway: Gateway,
  update: PaymentUpdate | CallbackHint,
): Promise<PaymentUpdate | null> {
  if (!("paymentId" in update)) return update
  const paymentUpdate = await gateway.fetchPayment({ paymentId: update.paymentId })
  if (!paymentUpdate) return null
  if (paymentUpdate.attemptId === update.attemptId) return { ...paymentUpdate, isFetched: true }
  throw new GatewayError("refused", `${gateway.id}: callback and payment belong to different attempts`)
}

/**
 * Logs and counts a rejected callback for diagnostics, and hands over what it has sent. Returns the seconds to wait above the
 * rate limit.
 */
async function recordRejectedCallback(
  services: LoggedServices,
  { id: gateway, callback }: Rejected,
  reason: string,
): Promise<number> {
  const { payments, rateLimits, shop, now, log } = services
  const { address } = callback
  // Counted after the signature check: a valid callback from the same address is still accepted.
  const allowed = await rateLimits.rejection({ gateway, address })
  if (!allowed.ok) return allowed.retryAfterSeconds
  log.warn({ gateway, reason }, "callback rejected")
  try {
    const sent = { ...callback, headers: [...callback.headers] }
    await payments.recordRejectedCallback(gateway, reason, dayIn(shop.timeZone, now()), sent)
  } catch (error) {
    // The response does not depend on it.
    if (!(error instanceof BillingError)) throw error
    log.warn({ err: error, gateway }, "rejected callback not counted")
  }
  return 0
}

type Rejected = { readonly id: GatewayId; readonly callback: RawCallback }
