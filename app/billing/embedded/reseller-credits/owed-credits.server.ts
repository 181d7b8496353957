import { sql } from "kysely"
import { type OrderKind, resellerPlanKinds } from "~/domain/orders/order"
import type { OwedCredits } from "~/domain/services/reseller-credits"
import type { DbContext } from "../db/transaction.server"

/** What a customer's refunded plans could not take back, since lines had used it, and what of that lines have given back since. */
export async function creditsOwed(ctx: DbContext, customerId: string): Promise<OwedCredits> {
  const rows = await refunded(ctx, customerId, resellerPlanKinds)
    .innerJoin("credit_entries as plan", (join) =>
      join.on("plan.reference", "=", sql<string>`'order ' || orders.id`),
    )
    .select(["plan.amount as granted", "refund.amount as taken", "refund.at"])
    .execute()
  const refunds = rows
    .map(({ granted, taken, at }) => ({ amount: granted - taken, at: Number(at) }))
    .filter(({ amount }) => amount > 0)
  return { refunds, settled: refunds.length === 0 ? 0 : await settledBy(ctx, customerId) }
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
