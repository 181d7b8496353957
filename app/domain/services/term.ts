import { Temporal } from "temporal-polyfill"
import { type Instant, MINUTE } from "../calendar"
import { type Cycle, monthsOf } from "../catalogue/billing-cycle"

/**
 * The paid time of a service, as stored. Every end is computed from the anchor, never from the last end: a service that
 * began on 31 January is paid until the last of February, and with the next month until 31 March.
 */
export type Term = {
  /** When the paid time began. Its day of the month and its time of day are those of every end. */
  readonly anchor: Instant
  /** The shop's time zone then (IANA), in which months and days are counted. */
  readonly zone: string
  /** Billing cycles paid since the anchor. */
  readonly count: number
  /** Calendar days given by the operator, after the cycles. */
  readonly extraDays: number
  /** Length of a free trial, which has no cycles; without a value it is none. */
  readonly trialHours?: number | undefined
}

/** Time from the payment to the activation that the paid time bears. */
const ACTIVATION_ALLOWANCE = 10 * MINUTE

/**
 * When the paid time begins: with the payment, which receipts and panel name, or with an activation that took longer than
 * the allowance. A panel that is down costs its customers nothing. `activatedAt`: null before the activation.
 */
export function startOfPaidTime(paidAt: Instant, activatedAt: Instant | null): Instant {
  return activatedAt !== null && activatedAt > paidAt + ACTIVATION_ALLOWANCE ? activatedAt : paidAt
}

/** A term of `count` billing cycles that begins at `anchor`. */
export function newTerm(anchor: Instant, zone: string, count: number): Term {
  return { anchor, zone, count, extraDays: 0 }
}

/** Whether a term is a free trial that no paid one has followed. */
export function isTrial(term: Term | null): boolean {
  return term?.trialHours !== undefined
}

/** A free trial that begins at `anchor`. */
export function trialTerm(anchor: Instant, zone: string, trialHours: number): Term {
  return { ...newTerm(anchor, zone, 0), trialHours }
}

/** The term with `count` more billing cycles. Those after a free trial begin where it ends, so that no hour of it is lost. */
export function withCycles(term: Term, count: number): Term {
  if (term.trialHours === undefined || count === 0) return { ...term, count: term.count + count }
  return newTerm(endOfTerm(term, "monthly"), term.zone, count)
}

/** The term with `days` more calendar days; a negative number takes days back. */
export function withDays(term: Term, days: number): Term {
  return { ...term, extraDays: term.extraDays + days }
}

/**
 * The end of the paid time. A day that the month lacks becomes its last one. A time that a clock change skips or repeats
 * is the later or the earlier one, as for every local time (RFC 5545).
 */
export function endOfTerm({ anchor, zone, count, extraDays, trialHours = 0 }: Term, cycle: Cycle): Instant {
  return Temporal.Instant.fromEpochMilliseconds(anchor)
    .toZonedDateTimeISO(zone)
    .add({ hours: trialHours })
    .add({ months: count * monthsOf(cycle) })
    .add({ days: extraDays }).epochMilliseconds
}

/** The end of the paid cycles, before the days given by the operator. */
export function endOfCycles(term: Term, cycle: Cycle): Instant {
  return endOfTerm({ ...term, extraDays: 0 }, cycle)
}
