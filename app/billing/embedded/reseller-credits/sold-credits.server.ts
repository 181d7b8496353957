import { sql } from "kysely"
import type { Instant } from "~/domain/calendar"
import { resellerPlanKinds } from "~/domain/orders/order"
import type { DbContext } from "../db/transaction.server"
import { requeueJob } from "../jobs/outbox.server"

/** Enqueues that the panel is told how many credits a reseller's account was sold, in the current transaction. */
export async function tellCredits(ctx: DbContext, serviceId: string, at: Instant): Promise<void> {
  await requeueJob(ctx, { topic: "reseller-credits", subject: serviceId, at })
}

/** See `Resellers.creditsSold`. */
export async function creditsSold({ db }: DbContext, serviceId: string): Promise<number> {
  const { granted, taken } = await db
    .selectFrom("orders")
    .leftJoin("credit_entries as plan", (join) =>
      join.on("plan.reference", "=", sql<string>`'order ' || orders.id`),
    )
    .leftJoin("credit_entries as refund", (join) =>
      join.on("refund.reference", "=", sql<string>`'refund ' || orders.id`),
    )
    .select((row) => [
      row.fn.sum<number | null>("plan.amount").as("granted"),
      row.fn.sum<number | null>("refund.amount").as("taken"),
    ])
    // An order is of one customer: their orders are found by an index.
    .where("orders.client_id", "=", ({ selectFrom }) =>
      selectFrom("services").select("services.client_id").where("services.id", "=", serviceId),
    )
    .where("orders.service_id", "=", serviceId)
    .where("orders.kind", "in", resellerPlanKinds)
    .executeTakeFirstOrThrow()
  return Number(granted ?? 0) - Number(taken ?? 0)
}
