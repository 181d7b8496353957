import type { PaymentUpdate } from "~/domain/payment"
import type { Gateway, RawCallback } from "~/gateways/gateway"

/** What a callback tells, of a gateway whose callbacks tell it all themselves; null for what is about no payment. */
export function newsTold(gateway: Gateway, callback: RawCallback): PaymentUpdate | null {
  const said = gateway.parseCallback(callback)
  if (said && "paymentId" in said) throw new Error(`${gateway.id} only says what to ask about`)
  return said
}
