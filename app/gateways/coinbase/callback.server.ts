import { z } from "zod"
import type { PaymentUpdate } from "~/domain/payments/payment"
import type { CallbackHint } from "~/gateways/gateway"
import { callbackJson, parseAs } from "~/gateways/webhook.server"
import { CheckoutName, CoinbaseCheckout, toPaymentUpdate } from "./checkout"

/** Events about the state of a checkout; payment links created before 2026 use the `payment_link` names. */
const ABOUT_PAYMENT = /^(checkout|payment_link)\.(payment|refund)\./

const Event = z.object({
  eventType: z.string(),
  /** Checkouts that other software creates with the same account have no `attempt`. */
  metadata: z.object({ attempt: z.string().optional() }).nullish(),
})

const Named = z.object({ id: CheckoutName })
const WithAttempt = z.object({ metadata: z.object({ attempt: z.string().min(1).max(100) }) })

const source = {
  name: "Coinbase callback",
  attemptOf: (value: unknown) => WithAttempt.safeParse(value).data?.metadata.attempt ?? null,
}

/**
 * Parses a verified callback. Null when it is not about a payment of this shop. The provider's samples differ in their
 * members, including the fiat price: for an incomplete callback a hint is returned, so the checkout is fetched. Throws
 * `UntrustedCallbackError` or `GatewayError` (`unreadable`).
 */
export function readCoinbaseCallback(body: Buffer): PaymentUpdate | CallbackHint | null {
  const value = callbackJson(body)
  const { eventType, metadata } = parseAs(Event, value, source)
  const attemptId = metadata?.attempt
  if (!ABOUT_PAYMENT.test(eventType) || !attemptId) return null
  const checkout = CoinbaseCheckout.safeParse(value)
  if (checkout.success) return toPaymentUpdate(checkout.data)
  const named = Named.safeParse(value)
  return named.success
    ? { paymentId: named.data.id, attemptId }
    : toPaymentUpdate(parseAs(CoinbaseCheckout, value, source))
}
