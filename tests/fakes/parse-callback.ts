import type { PaymentUpdate } from "~/domain/payment"
import type { Gateway, RawCallback } from "~/gateways/gateway"

/** What a callback tells, of a gateway whose callbacks tell it all themselves; null for what is about no payment. */
export function parsedUpdate(gateway: Gateway, callback: RawCallback): PaymentUpdate | null {
  const update = gateway.parseCallback(callback)
  if (update && "paymentId" in update) throw new Error(`${gateway.id} only says what to ask about`)
  return update
}
