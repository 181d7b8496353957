import type { Quote } from "../catalogue/pricing"
import { type Money, money } from "../money/money"
import type { Order } from "./order"
import type { TimelineEvent } from "./timeline"

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

/**
 * A top-up as it was paid: all that its payment came to is account credit, which may be more than the amount that was chosen, or less
 * within the gateway's tolerance. Every other order, and a top-up that is not paid, as it was placed.
 */
export function topUpAsPaid<O extends Pick<Order, "kind" | "lines" | "total">>(
  order: O,
  timeline: readonly TimelineEvent[],
): O {
  if (order.kind !== "topup") return order
  const added = timeline.find(({ kind }) => kind === "credit-added")?.amount
  return added ? { ...order, ...topUpQuote(added) } : order
}
