import type { PaymentNews } from "~/domain/payment"
import type { Gateway, RawCallback } from "~/gateways/gateway"

/** What a callback tells, of a gateway whose callbacks tell it all themselves; null for what is about no payment. */
export function newsTold(gateway: Gateway, callback: RawCallback): PaymentNews | null {
  const said = gateway.readCallback(callback)
  if (said && "askAbout" in said) throw new Error(`${gateway.id} only says what to ask about`)
  return said
}
