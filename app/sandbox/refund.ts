import { type Money, money, share } from "~/domain/money"
import type { SandboxPayment } from "./payment"

/** Refunds a tester can choose, in percent of the received amount. */
export const refunds = { "refund-part": 20, "refund-all": 100 } as const

export type RefundName = keyof typeof refunds

export function isRefund(text: string | null): text is RefundName {
  return text !== null && Object.hasOwn(refunds, text)
}

/** Protocols that report partial refunds; others refund outside the protocol or only in full. */
const refunding: readonly string[] = ["offshore", "coinbase"]

/** Whether the protocol supports refunds and part of the received amount is not refunded yet. */
export function isRefundable({ protocol, received, refunded }: SandboxPayment): boolean {
  return refunding.includes(protocol) && received.minor > refunded.minor
}

/** Total refunded after one more refund, limited to the received amount. */
export function refundedAfter({ received, refunded }: SandboxPayment, name: RefundName): Money {
  const more = share(received, refunds[name] * 100)
  return money(Math.min(received.minor, refunded.minor + more.minor), received.currency)
}
