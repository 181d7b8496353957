import { z } from "zod"
import type { PaymentUpdate } from "~/domain/payment"
import type { CallbackHint, RawCallback } from "~/gateways/gateway"
import { CheckoutName, CoinbaseCheckout, toPaymentUpdate } from "./checkout"
import { parseAs, parseJson } from "./parsing"
import { checkHook0 } from "./webhook.server"

/** The events that say how a checkout stands; links of before 2026 send them under their old names. */
const ABOUT_PAYMENT = /^(checkout|payment_link)\.(payment|refund)\./

const Event = z.object({
  eventType: z.string(),
  /** Whoever owns the account may sell by other means too: those checkouts do not name an attempt of ours. */
  metadata: z.object({ attempt: z.string().optional() }).nullish(),
})

const Named = z.object({ id: CheckoutName })

/**
 * What a callback says of a payment of ours; null when it speaks of something else. The provider's samples differ in
 * which members they have, the price in money of ours among them: what a callback leaves out is asked for.
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
