import type { Instant } from "../calendar"
import type { Service } from "./service"

/** Credits that creating a line costs. */
export const CREDITS_PER_LINE = 1

/**
 * Cause of a ledger entry: plan paid, credits granted by the operator, line created, extended, or cancelled unused, plan paid back.
 */
export type ResellerCreditCause = "plan" | "gift" | "line" | "extension" | "return" | "refund"

/** A line that a reseller credit extends. */
export type LineOnCredit = {
  /** Its cycles are counted anew after an extension that came late. */
  readonly wasExtended: boolean
  /** Its credit is owed for a plan that was paid back: see `isCreditOwed`. */
  readonly isOwed: boolean
}

/** What became of the credit of a cancelled line: the reseller has it, or it was owed for a plan that was paid back. */
export type LineCancelled = "returned" | "owed"

/** Credits of plans that were paid back, which had been used by then: `amount` at the moment `at` of each refund. */
export type OwedCredits = {
  readonly refunds: readonly { readonly amount: number; readonly at: Instant }[]
  /** What cancelled lines have given back of them. */
  readonly settled: number
}

/**
 * Whether a credit that comes back, and was used at `usedAt`, belongs to a plan that was paid back: the refund could not take it back,
 * since it was used. What is used after a refund is of other credits.
 */
export function isCreditOwed({ refunds, settled }: OwedCredits, usedAt: Instant): boolean {
  const sum = (list: OwedCredits["refunds"]) => list.reduce((total, { amount }) => total + amount, 0)
  return Math.min(sum(refunds) - settled, sum(refunds.filter(({ at }) => at >= usedAt))) > 0
}

type CancellableLine = Pick<Service, "status" | "term" | "deviceAddress"> & Pick<LineOnCredit, "wasExtended">

/**
 * Whether a line counts as unused and may be cancelled for its credit: it is in its first cycle, within the time that the
 * shop allows, and tied to no device. What was streamed is known to the panel only.
 */
export function isCancellable(
  { status, term, deviceAddress, wasExtended }: CancellableLine,
  { at, cancelWithin }: { readonly at: Instant; readonly cancelWithin: number },
): boolean {
  if (status !== "Active" || term === null || deviceAddress !== null || wasExtended) return false
  return term.count === 1 && at < term.anchor + cancelWithin
}

/** Ledger entry of a reseller's credits; negative for used ones. `reference`: the order, if any. */
export type ResellerCreditMovement = {
  readonly cause: ResellerCreditCause
  readonly amount: number
  readonly reference: string | null
  /** Of an extension: the ids of the lines that it extended, for a credit each. */
  readonly extended?: readonly string[]
  readonly at: Instant
}

/** A reseller's balance and latest ledger entries, newest first. */
export type ResellerCredits = {
  readonly balance: number
  readonly movements: readonly ResellerCreditMovement[]
}

/** The same with what the reseller calls the customers whose lines an entry is about; null: it is about none. */
export type NamedResellerCredits = Pick<ResellerCredits, "balance"> & {
  readonly movements: readonly (ResellerCreditMovement & { readonly names: string | null })[]
}
