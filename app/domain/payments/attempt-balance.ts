import type { PaymentUpdate } from "./payment"

/**
 * Money received and refunded by one payment attempt, in minor units, as reported so far. Every member is monotonic, so
 * order and repetition of reports do not matter.
 */
export type Balance = {
  /** Highest received amount ever reported. */
  readonly gross: number
  /** Highest refunded amount ever reported. */
  readonly refunded: number
  /** Lowest remainder ever reported after a refund, by gateways that report that instead; null: never. */
  readonly left: number | null
}

/** The balance after another update of the payment. */
export function balanceAfter({ gross, refunded, left }: Balance, report: PaymentUpdate): Balance {
  const more = Math.max(gross, report.received.minor)
  if (report.refunded) return { gross: more, refunded: Math.max(refunded, report.refunded.minor), left }
  if (report.status !== "refunded") return { gross: more, refunded, left }
  return { gross: more, refunded, left: Math.min(left ?? report.received.minor, report.received.minor) }
}

/**
 * Net amount of a payment, in minor units. A gateway that only reports "refunded" names either the remainder or the
 * received amount: the full received amount means a full refund.
 */
export function remaining({ gross, refunded, left }: Balance): number {
  const net = Math.max(0, gross - refunded)
  if (left === null) return net
  return left < gross ? Math.min(net, left) : 0
}
