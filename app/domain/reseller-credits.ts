import type { Instant } from "./calendar"

/** Credits that creating a line costs. */
export const CREDITS_PER_LINE = 1

/** Cause of a ledger entry: plan paid, credits granted by the operator, line created. */
export type ResellerCreditCause = "plan" | "gift" | "line"

/** Ledger entry of a reseller's credits; negative for used ones. `reference`: the order, if any. */
export type ResellerCreditMovement = {
  readonly cause: ResellerCreditCause
  readonly amount: number
  readonly reference: string | null
  readonly at: Instant
}

/** A reseller's balance and latest ledger entries, newest first. */
export type ResellerCredits = {
  readonly balance: number
  readonly movements: readonly ResellerCreditMovement[]
}
