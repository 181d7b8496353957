import type { Instant } from "~/domain/calendar"
import type { ResellerCreditAccount } from "../db/schema/credit-rows"
import type { DbContext } from "../db/transaction.server"

/** What a payment of a reseller plan gave of credits, and what paying it back has taken: a plan that is paid again begins another round. */
export type PlanRound = {
  readonly account: ResellerCreditAccount
  readonly granted: number
  /** Null: its payment was not paid back. */
  readonly taken: { readonly amount: number; readonly at: Instant } | null
}

/** The rounds of a reseller plan, oldest first; none if it has not been paid. */
export async function planRounds({ db }: DbContext, orderId: string): Promise<readonly PlanRound[]> {
  const rounds: PlanRound[] = []
  for (;;) {
    const number = rounds.length + 1
    const [plan, refund] = [
      roundReference("order", orderId, number),
      roundReference("refund", orderId, number),
    ]
    const entries = await db
      .selectFrom("credit_entries")
      .selectAll()
      .where("reference", "in", [plan, refund])
      .execute()
    const granted = entries.find(({ reference }) => reference === plan)
    if (!granted) return rounds
    const taken = entries.find(({ reference }) => reference === refund)
    rounds.push({
      account: granted.to_account,
      granted: granted.amount,
      taken: taken ? { amount: taken.amount, at: Number(taken.at) } : null,
    })
    if (!taken) return rounds
  }
}

/** The reference of a round's entry: only those after the first are numbered. */
export function roundReference(word: "order" | "refund", orderId: string, number: number): string {
  return number === 1 ? `${word} ${orderId}` : `${word} ${orderId} ${number}`
}
