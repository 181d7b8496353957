import { sql } from "kysely"
import type { UnappliedReportListed } from "~/billing/orders/order-admin"
import type { UnappliedReport } from "~/billing/payments/payment-repository"
import type { Instant } from "~/domain/calendar"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { noteUnmatched } from "./unmatched-payments.server"

/** Stores a signed payment update that could not be applied: see `PaymentRepository.recordUnapplied`. */
export async function recordUnapplied(ctx: DbContext, report: UnappliedReport, at: Instant): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await insertReport(tx, report, at)
    await noteUnmatched(tx, report, at)
  })
}

async function insertReport(
  { db }: DbContext,
  { gateway, eventKey, reason, attemptId, detail }: UnappliedReport,
  at: Instant,
): Promise<void> {
  await db
    .insertInto("unapplied_reports")
    .values({
      gateway,
      event_key: eventKey,
      reason,
      attempt_id: attemptId,
      detail,
      count: 1,
      first_at: at,
      at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["gateway", "event_key"])
        .doUpdateSet((row) => ({ count: row("unapplied_reports.count", "+", 1), at, detail })),
    )
    .execute()
}

/** Signed payment updates of an order that could not be applied, oldest first. */
export async function unappliedOf(
  { db }: DbContext,
  orderId: string,
): Promise<readonly UnappliedReportListed[]> {
  const rows = await db
    .selectFrom("unapplied_reports")
    .innerJoin("payment_attempts", "payment_attempts.id", "unapplied_reports.attempt_id")
    .select(["unapplied_reports.gateway", "reason", "detail", "count", "unapplied_reports.at"])
    .where("payment_attempts.order_id", "=", orderId)
    .orderBy("unapplied_reports.at")
    .execute()
  return rows.map((row) => ({ ...row, at: Number(row.at), orderId }))
}

/** Unapplied payment updates since an instant: their number, and the newest `limit` of them. */
export async function unappliedSince(
  { db }: DbContext,
  { since, limit }: { since: Instant; limit: number },
): Promise<{ count: number; newest: readonly UnappliedReportListed[] }> {
  const { count } = await db
    .selectFrom("unapplied_reports")
    .select(sql<number>`count(*)`.as("count"))
    .where("at", ">=", since)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom("unapplied_reports")
    .leftJoin("payment_attempts", "payment_attempts.id", "unapplied_reports.attempt_id")
    .select(["unapplied_reports.gateway", "reason", "detail", "count", "unapplied_reports.at"])
    .select("payment_attempts.order_id as orderId")
    .where("unapplied_reports.at", ">=", since)
    .orderBy("unapplied_reports.at", "desc")
    .limit(limit)
    .execute()
  return { count: Number(count), newest: rows.map((row) => ({ ...row, at: Number(row.at) })) }
}
