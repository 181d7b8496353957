import type { PaymentUpdate } from "~/domain/payments/payment"
import type { Gateway, RawCallback } from "~/gateways/gateway"

/**
 * Returns the payment update of a callback, for gateways whose callbacks contain it; null if it is about no payment.
 */
export function parsedUpdate(gateway: Gateway, callback: RawCallback): PaymentUpdate | null {
  const update = gateway.parseCallback(callback)
  if (update && "paymentId" in update) throw new Error(`${gateway.id} only says what to ask about`)
  return update
}
