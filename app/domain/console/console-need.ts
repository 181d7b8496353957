import { HOUR, type Instant } from "../calendar"
import type { Money } from "../money/money"

/** What needs a person, the most urgent first. */
export const needKinds = [
  "no-gateway",
  "not-provisioned",
  "gateway-down",
  "shop-file",
  "exchange-rate",
  "to-confirm",
  "refund-refused",
  "chargeback",
  "unknown-order",
  "negative-credit",
  "tax-owed-back",
  "on-hold",
  "money-paid-back",
  "unmatched-money",
  "parked-job",
  "unsent-mail",
  "webhook-paused",
  "rejected-callbacks",
  "late-steps",
] as const
export type NeedKind = (typeof needKinds)[number]

/** Steps of services are taken within minutes: one that has been due for longer does not go on by itself. */
export const STEP_LATE_AFTER = HOUR

/** Messages and services that wait are counted up to here, so that their query stays short. */
export const NEED_COUNT_LIMIT = 250

/** Something that does not go on by itself. */
export type Need = {
  /** The same as long as it is there, such as "order 7BQ697JNZK". */
  readonly key: string
  readonly kind: NeedKind
  readonly since: Instant
  readonly orderId: string | null
  /** Of one that is about a customer and no order. */
  readonly customerId?: string | null
  readonly amount: Money | null
  /** Gateway, fields of the shop file, currencies, topic of a job, host of a receiver, or reason; null if there is none. */
  readonly detail: string | null
  /** Messages, callbacks, services or tries; of waiting messages and services at most `NEED_COUNT_LIMIT`. */
  readonly count: number
  /** E-mail of the operator who has taken it; null: it is not taken. */
  readonly takenBy: string | null
}

/** The most urgent kind first, and within a kind what waits longest. */
export function byUrgency(a: Need, b: Need): number {
  return needKinds.indexOf(a.kind) - needKinds.indexOf(b.kind) || a.since - b.since
}

/** Sums by hour: paid orders, money received, and paid renewals. */
export const hourlyFigures = ["orders", "received", "renewals"] as const
export type HourlyFigure = (typeof hourlyFigures)[number]
