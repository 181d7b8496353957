import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const refundsAndReports: Migration = { up }

/**
 * Separate gross and refunded amounts of attempts, so that updates of both may arrive in any order. And signed payment
 * updates that could not be applied, for the operator.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("payment_attempts")
    .addColumn("gross", "bigint", (column) => required(column).defaultTo(0))
    .execute()
  await db.schema
    .alterTable("payment_attempts")
    .addColumn("refunded", "bigint", (column) => required(column).defaultTo(0))
    .execute()
  await db.schema.alterTable("payment_attempts").addColumn("refund_left", "bigint").execute()
  // One aggregate query, because payments have no index on attempt_id.
  await sql`
    update payment_attempts set gross = booked.gross, refunded = booked.refunded
    from (
      select attempt_id,
        sum(case when amount > 0 then amount else 0 end) as gross,
        sum(case when amount < 0 then -amount else 0 end) as refunded
      from payments group by attempt_id
    ) as booked
    where booked.attempt_id = payment_attempts.id
  `.execute(db)
  await unappliedReports(db)
}

async function unappliedReports(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("unapplied_reports")
    .addColumn("gateway", "text", required)
    .addColumn("event_key", "text", required)
    .addColumn("reason", "text", required)
    // No foreign key: the update may name an unknown attempt.
    .addColumn("attempt_id", "text")
    .addColumn("detail", "text", required)
    .addColumn("count", "integer", required)
    .addColumn("first_at", "bigint", required)
    .addColumn("at", "bigint", required)
    .addPrimaryKeyConstraint("unapplied_reports_key", ["gateway", "event_key"])
    .execute()
  await db.schema.createIndex("reports_of_attempt").on("unapplied_reports").column("attempt_id").execute()
}
