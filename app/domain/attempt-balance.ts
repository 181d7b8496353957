import type { PaymentUpdate } from "./payment"

/**
 * What one payment has brought and given back, in minor units, as far as has been reported. Every member moves in one
 * direction only, so the order in which reports arrive, and their repetition, do not matter.
 */
export type Balance = {
  /** The most that was ever reported to have come. */
  readonly gross: number
  /** The most that was ever reported to have been refunded. */
  readonly refunded: number
  /** The least that a refund was reported to leave, by a gateway that names that instead; null: never. */
  readonly left: number | null
}

/** The balance after one more report of the payment. */
export function balanceAfter({ gross, refunded, left }: Balance, report: PaymentUpdate): Balance {
  const more = Math.max(gross, report.received.minor)
  if (report.refunded) return { gross: more, refunded: Math.max(refunded, report.refunded.minor), left }
  if (report.status !== "refunded") return { gross: more, refunded, left }
  return { gross: more, refunded, left: Math.min(left ?? report.received.minor, report.received.minor) }
}

/**
 * What is there of a payment, in minor units. A gateway that only says "refunded" names what is left, or what came: as
 * much as ever came means that all of it went back.
 */
export function remaining({ gross, refunded, left }: Balance): number {
  const kept = Math.max(0, gross - refunded)
  if (left === null) return kept
  return left < gross ? Math.min(kept, left) : 0
}
