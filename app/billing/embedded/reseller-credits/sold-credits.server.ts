import { sql } from "kysely"
import type { Instant } from "~/domain/calendar"
import { resellerPlanKinds } from "~/domain/orders/order"
import type { DbContext } from "../db/transaction.server"
import { requeueJob } from "../jobs/outbox.server"
import { planRounds } from "./plan-rounds.server"

/** Enqueues that the panel is told how many credits a reseller's account was sold, in the current transaction. */
export async function tellCredits(ctx: DbContext, serviceId: string, at: Instant): Promise<void> {
  await requeueJob(ctx, { topic: "reseller-credits", subject: serviceId, at })
}

/** See `Resellers.creditsSold`. */
export async function creditsSold(ctx: DbContext, serviceId: string): Promise<number> {
  const plans = await ctx.db
    .selectFrom("orders")
    .innerJoin("credit_entries as plan", (join) =>
      join.on("plan.reference", "=", sql<string>`'order ' || orders.id`),
    )
    .leftJoin("credit_entries as refund", (join) =>
      join.on("refund.reference", "=", sql<string>`'refund ' || orders.id`),
    )
    .select(["orders.id", "plan.amount as granted", "refund.id as refund"])
    // An order is of one customer: their orders are found by an index.
    .where("orders.client_id", "=", ({ selectFrom }) =>
      selectFrom("services").select("services.client_id").where("services.id", "=", serviceId),
    )
    .where("orders.service_id", "=", serviceId)
    .where("orders.kind", "in", resellerPlanKinds)
    .execute()
  let sold = 0
  for (const { id, granted, refund } of plans)
    sold += granted - (refund === null ? 0 : await takenOf(ctx, id))
  return sold
}

/** What is taken back of a plan that was paid back, unless it is paid again. */
async function takenOf(ctx: DbContext, orderId: string): Promise<number> {
  const last = (await planRounds(ctx, orderId)).at(-1)
  return last?.taken?.amount ?? 0
}
