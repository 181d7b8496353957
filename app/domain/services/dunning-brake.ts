import { HOUR, type Instant } from "../calendar"

/** Why dunning has stopped until the operator releases it. */
export const brakeReasons = ["too-many", "clock", "outage"] as const
export type BrakeReason = (typeof brakeReasons)[number]

/** A stop of dunning. */
export type Brake = {
  readonly reason: BrakeReason
  /** One sentence for the operator. */
  readonly detail: string
  readonly at: Instant
}

/** So many services are suspended or terminated at once in a shop of any size. */
export const ALWAYS_ALLOWED = 20
/** One in so many active services may be suspended or terminated at once: 2 %. */
export const ALLOWED_SHARE = 50

/** Most services that one pass may suspend and terminate. */
export function allowedAtOnce(active: number): number {
  return Math.max(ALWAYS_ALLOWED, Math.floor(active / ALLOWED_SHARE))
}

/** The wall clock at one moment, and a clock that nobody can set: milliseconds since any start. */
export type ClockReading = { readonly wall: Instant; readonly steady: number }

/** A clock that moved by more is wrong, or was. */
export const CLOCK_TOLERANCE = HOUR

/** By how much the wall clock was moved between two readings of one process; 0 if it was not, or by less than an hour. */
export function clockMoved(before: ClockReading, after: ClockReading): number {
  const moved = after.wall - before.wall - (after.steady - before.steady)
  return Math.abs(moved) > CLOCK_TOLERANCE ? moved : 0
}

/**
 * What a customer needs in order to renew. `shop`: no pass of dunning ran, so the shop was down, or its clock was wrong when
 * it started.
 */
export const neededParts = ["mail", "gateways", "panel", "shop"] as const
export type NeededPart = (typeof neededParts)[number]

/** A time in which a part was down. `until`: when it was last seen down. */
export type Outage = { readonly part: NeededPart; readonly since: Instant; readonly until: Instant }

/** A shorter outage leaves enough of the grace. */
const OUTAGE_COUNTS = HOUR

/** The first outage that counts and falls into a time; null if none does. */
export function outageIn(
  outages: readonly Outage[],
  { from, until }: { from: Instant; until: Instant },
): Outage | null {
  const counting = outages.filter((it) => it.until - it.since > OUTAGE_COUNTS)
  return counting.find((it) => it.until >= from && it.since < until) ?? null
}
