import { type Money, money } from "./money"
import type { Quote } from "./pricing"

/** What a shop sells as account credit, in minor units of every currency. */
export type TopUpPolicy = {
  /** Amounts that are offered, lowest first; empty: account credit is not sold. */
  readonly amounts: readonly number[]
  /** Most account credit of a customer after a top-up and all others that can be paid, when it is ordered. */
  readonly max: number
}

/** Reason of a refused form, whose text comes with the form. */
export const REFUSED_TOP_UP = "topup.refused"

/** Amounts that a customer may add. `credit`: the account credit, and what top-ups that can be paid still would add. */
export function topUpAmounts({ amounts, max }: TopUpPolicy, credit: Money): readonly Money[] {
  return amounts.filter((minor) => credit.minor + minor <= max).map((minor) => money(minor, credit.currency))
}

/** The quote of a top-up: its amount is its total. */
export function topUpQuote(amount: Money): Quote {
  return { lines: [{ kind: "accountCredit", amount }], total: amount }
}
