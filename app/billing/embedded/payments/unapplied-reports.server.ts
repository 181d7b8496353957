import { sql } from "kysely"
import type { UnappliedReport } from "~/billing/payment-repository"
import type { Instant } from "~/domain/calendar"
import type { UnappliedReportRow } from "../db/schema/payment-rows"
import type { DbContext } from "../db/transaction.server"

/** Keeps a signed report that could not be booked; the same one again only counts: see `Till.recordUnapplied`. */
export async function recordUnapplied(
  { db }: DbContext,
  report: UnappliedReport,
  at: Instant,
): Promise<void> {
  const { gateway, eventKey, reason, attemptId, detail } = report
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

export type UnappliedReportListed = Pick<
  UnappliedReportRow,
  "gateway" | "reason" | "detail" | "count" | "at"
> & {
  /** Null: it names no attempt of an order of ours. */
  readonly orderId: string | null
}

/** Signed reports about an order's payments that could not be booked, oldest first. */
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

/** All of them that came since, the newest first, and how many there are. */
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
