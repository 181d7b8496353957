import { z } from "zod"
import type { PaymentUpdate } from "~/domain/payment"
import type { CallbackHint, RawCallback } from "~/gateways/gateway"
import { CheckoutName, CoinbaseCheckout, toPaymentUpdate } from "./checkout"
import { parseAs, parseJson } from "./parsing"
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
