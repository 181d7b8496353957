import { BillingError } from "~/billing/billing"
import type { Services } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { PaymentUpdate } from "~/domain/payment"
import {
  type CallbackHint,
  type Gateway,
  GatewayError,
  type RawCallback,
  UntrustedCallbackError,
} from "~/gateways/gateway"
import { keepUnapplied, recordPaymentUpdate, unappliedReason } from "./record-payment-update.server"

export type Reception =
  /** `accepted`: the news is stored, booked or not, or is none of our business. */
  | { readonly kind: "accepted" | "no-such-gateway" }
  /** Tells the caller nothing but how long to be quiet: 0 while he has not been refused too often. */
  | { readonly kind: "refused"; readonly retryAfterSeconds: number }

/**
 * A gateway calls: checks that it is the gateway, and books what it says (design, section 5, step 6). One that only
 * says that something has happened is asked at once. What nobody can book is kept for the operator, and accepted:
 * calling again would not help. Throws a `GatewayError` (`unavailable`) when the gateway must be asked and cannot be
 * just now: then it calls again.
 */
export async function receiveCallback(
  services: Services,
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
    const { address } = callback
    return {
      kind: "refused",
      retryAfterSeconds: await recordRejectedCallback(services, { id, address }, error.message),
    }
  }
}

async function apply(services: Services, gateway: Gateway, callback: RawCallback): Promise<void> {
  let said: ReturnType<Gateway["parseCallback"]> = null
  try {
    said = gateway.parseCallback(callback)
    const news = said && (await newsBehind(gateway, said))
    if (news) await recordPaymentUpdate(services, gateway.id, news)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    await keepOrLeave(services, gateway, { error, attemptId: said?.attemptId ?? error.attemptId })
  }
}

type Failed = { readonly error: GatewayError; readonly attemptId: string | null }

/** Throws where the gateway may do better when it calls again: whatever is the matter, its answer is what is missing. */
async function keepOrLeave(services: Services, { id: gateway }: Gateway, failed: Failed): Promise<void> {
  const { error, attemptId } = failed
  const reason = unappliedReason(error)
  if (!reason) throw new GatewayError("unavailable", error.message, { cause: error })
  await keepUnapplied(services, { gateway, reason, attemptId, detail: error.message })
}

async function newsBehind(
  gateway: Gateway,
  said: PaymentUpdate | CallbackHint,
): Promise<PaymentUpdate | null> {
  if (!("paymentId" in said)) return said
  const news = await gateway.fetchPayment({ paymentId: said.paymentId })
  if (!news || news.attemptId === said.attemptId) return news
  throw new GatewayError("refused", `${gateway.id} calls about another attempt than it answers about`)
}

/** For the log and for the operator's doctor; answers how long the caller has to wait when he calls too often. */
async function recordRejectedCallback(services: Services, from: From, reason: string): Promise<number> {
  const { payments, rateLimits, shop, now, log } = services
  const { id: gateway, address } = from
  // Counted after the look at the signature: a gateway behind the same address as a forger is still heard.
  const allowed = await rateLimits.refusal({ gateway, address })
  if (!allowed.ok) return allowed.retryAfterSeconds
  log.warn({ gateway, reason }, "callback rejected")
  try {
    await payments.recordRejectedCallback(gateway, reason, dayIn(shop.timeZone, now()))
  } catch (error) {
    // The answer to whoever calls does not depend on it.
    if (!(error instanceof BillingError)) throw error
    log.warn({ err: error, gateway }, "rejected callback not counted")
  }
  return 0
}

type From = { readonly id: GatewayId; readonly address: string | null }
