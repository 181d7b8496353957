import { type Money, money, share } from "~/domain/money/money"
import type { SandboxPayment } from "./payment"

/** Refunds a tester can choose, in percent of the received amount. */
const refunds = { "refund-part": 20, "refund-all": 100 } as const

export type RefundName = keyof typeof refunds

export function isRefund(text: string | null): text is RefundName {
  return text !== null && Object.hasOwn(refunds, text)
}

/** Refunds that a protocol reports: BTCPay reports none, and Cryptomus only that everything was refunded. */
const reported: Readonly<Record<string, readonly RefundName[]>> = {
  offshore: ["refund-part", "refund-all"],
  coinbase: ["refund-part", "refund-all"],
  cryptomus: ["refund-all"],
}

/** Refunds that are possible: part of the received amount is not refunded yet, and the protocol reports them. */
export function possibleRefunds({
  protocol,
  status,
  received,
  refunded,
}: SandboxPayment): readonly RefundName[] {
  const isReceived = status !== "processing" && received.minor > refunded.minor
  return isReceived ? (reported[protocol] ?? []) : []
}

/** Total refunded after one more refund, limited to the received amount. */
export function refundedAfter({ received, refunded }: SandboxPayment, name: RefundName): Money {
  const more = share(received, refunds[name] * 100)
  return money(Math.min(received.minor, refunded.minor + more.minor), received.currency)
}
