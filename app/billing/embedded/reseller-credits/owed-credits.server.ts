import { sql } from "kysely"
import { type OrderKind, resellerPlanKinds } from "~/domain/orders/order"
import type { OwedCredits } from "~/domain/services/reseller-credits"
import type { DbContext } from "../db/transaction.server"
import { type PlanRound, planRounds } from "./plan-rounds.server"

/** What a customer's refunded plans could not take back, since lines had used it, and what of that lines have given back since. */
export async function creditsOwed(ctx: DbContext, customerId: string): Promise<OwedCredits> {
  const plans = await refunded(ctx, customerId, resellerPlanKinds).select("orders.id").execute()
  const rounds = await Promise.all(plans.map(({ id }) => planRounds(ctx, id)))
  if (rounds.length === 0) return { refunds: [], settled: 0 }
  const settled = await settledBy(ctx, customerId)
  return {
    refunds: rounds.flatMap(owedOf),
    settled: settled - rounds.reduce((sum, it) => sum + returnedWith(it), 0),
  }
}

/** What a plan that is paid back could not take back. */
function owedOf(rounds: readonly PlanRound[]): OwedCredits["refunds"] {
  const [first, taken] = [rounds[0], rounds.at(-1)?.taken]
  if (!first || !taken || taken.amount >= first.granted) return []
  return [{ amount: first.granted - taken.amount, at: taken.at }]
}

/** What a plan that was paid again has returned of what lines had given back. */
function returnedWith(rounds: readonly PlanRound[]): number {
  return rounds.reduce((sum, { granted }, index) => {
    const before = rounds[index - 1]?.taken
    return before ? sum + granted - before.amount : sum
  }, 0)
}

async function settledBy(ctx: DbContext, customerId: string): Promise<number> {
  const { total } = await refunded(ctx, customerId, ["line"])
    .select((row) => row.fn.sum<number | null>("refund.amount").as("total"))
    .executeTakeFirstOrThrow()
  return Number(total ?? 0)
}

/** Orders whose credits were taken back, by the unique reference of the entry. */
function refunded({ db }: DbContext, customerId: string, kinds: readonly OrderKind[]) {
  return db
    .selectFrom("orders")
    .innerJoin("credit_entries as refund", (join) =>
      join.on("refund.reference", "=", sql<string>`'refund ' || orders.id`),
    )
    .where("orders.client_id", "=", customerId)
    .where("orders.kind", "in", kinds)
}
