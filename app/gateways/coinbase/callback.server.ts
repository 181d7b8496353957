import { z } from "zod"
import type { PaymentUpdate } from "~/domain/payment"
import { type CallbackHint, GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { summaryOf } from "~/gateways/gateway-errors"
import { CheckoutName, CoinbaseCheckout, toPaymentUpdate } from "./checkout"
import { checkHook0 } from "./webhook.server"

/** Events about the state of a checkout; payment links created before 2026 use the `payment_link` names. */
const ABOUT_PAYMENT = /^(checkout|payment_link)\.(payment|refund)\./

const Event = z.object({
  eventType: z.string(),
  /** Checkouts that other software creates with the same account have no `attempt`. */
  metadata: z.object({ attempt: z.string().optional() }).nullish(),
})

const Named = z.object({ id: CheckoutName })

/**
 * Verifies and parses a callback. Null when it is not about a payment of this shop. The provider's samples differ in
 * their members, including the fiat price: for an incomplete callback a hint is returned, so the checkout is fetched.
 * Throws `UntrustedCallbackError` or `GatewayError` (`unreadable`).
 */
export function parseCoinbaseCallback(
  callback: RawCallback,
  secrets: readonly string[],
): PaymentUpdate | CallbackHint | null {
  checkHook0(callback, secrets)
  const value = parseJson(callback.body)
  const { eventType, metadata } = parseAs(Event, value)
  const attemptId = metadata?.attempt
  if (!ABOUT_PAYMENT.test(eventType) || !attemptId) return null
  const checkout = CoinbaseCheckout.safeParse(value)
  if (checkout.success) return toPaymentUpdate(checkout.data)
  const named = Named.safeParse(value)
  return named.success
    ? { paymentId: named.data.id, attemptId }
    : toPaymentUpdate(parseAs(CoinbaseCheckout, value))
}

/** Parses the body of a callback as JSON. Throws `UntrustedCallbackError`. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch (cause) {
    throw new UntrustedCallbackError("not JSON", { cause })
  }
}

const WithAttempt = z.object({ metadata: z.object({ attempt: z.string().min(1).max(100) }) })

/** The payload is signed, so a mismatch is a `GatewayError` (`unreadable`), not an untrusted callback. */
function parseAs<T>(as: z.ZodType<T>, value: unknown): T {
  const parsed = as.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  const message = `Invalid Coinbase callback (${summaryOf(value)}): ${z.prettifyError(cause)}`
  throw new GatewayError("unreadable", message, {
    cause,
    attemptId: WithAttempt.safeParse(value).data?.metadata.attempt ?? null,
  })
}
