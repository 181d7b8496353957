import { includes } from "../includes"
import type { Money } from "../money/money"
import type { OperatorAction } from "../operators/operator"

/**
 * What became of a payment that matches no order. `assigned`: to an order or a customer. `returned`: to who has paid.
 * `dismissed`: no money has arrived.
 */
export const unmatchedStates = ["open", "assigned", "returned", "dismissed"] as const
export type UnmatchedState = (typeof unmatchedStates)[number]

/** What operators do with a payment that matches no order. */
export const unmatchedActions = [
  "assign-payment",
  "credit-payment",
  "return-payment",
  "dismiss-payment",
] as const satisfies readonly OperatorAction[]
export type UnmatchedAction = (typeof unmatchedActions)[number]

/** Whether a form names an action on such a payment. */
export function isUnmatchedAction(text: string): text is UnmatchedAction {
  return includes(unmatchedActions, text)
}

type Unmatched = { readonly state: UnmatchedState; readonly amount: Money | null }

/**
 * Whether a payment allows an action: money that has arrived is never dismissed, and of money that its gateway has paid back after it
 * was assigned can only be noted that it was returned.
 */
export function unmatchedAllows({ state, amount }: Unmatched, action: UnmatchedAction): boolean {
  if (state !== "open") return false
  if (amount !== null && amount.minor < 0) return action === "return-payment"
  return action !== "dismiss-payment" || amount === null
}
