import { type Money, money, share } from "~/domain/money"
import type { SandboxPayment } from "./payment"

/** What a tester can have refunded of a payment that was made, in percent of what came. */
export const refunds = { "refund-part": 20, "refund-all": 100 } as const

export type RefundName = keyof typeof refunds

export function isRefund(text: string | null): text is RefundName {
  return text !== null && Object.hasOwn(refunds, text)
}

/** Providers whose protocol reports a refund; some pay back outside it, or only all at once. */
const refunding: readonly string[] = ["offshore", "coinbase"]

/** Whether something is left to be refunded. */
export function isRefundable({ protocol, received, refunded }: SandboxPayment): boolean {
  return refunding.includes(protocol) && received.minor > refunded.minor
}

/** All that has been refunded after one more refund: never more than has come. */
export function refundedAfter({ received, refunded }: SandboxPayment, name: RefundName): Money {
  const more = share(received, refunds[name] * 100)
  return money(Math.min(received.minor, refunded.minor + more.minor), received.currency)
}
