import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const operators: Migration = { up }

/** Operators of the console, their sessions and recovery codes, the audit log, and sums by hour. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("operators")
    .addColumn("id", "text", id)
    .addColumn("email_key", "text", (column) => required(column).unique())
    .addColumn("email", "text", required)
    .addColumn("role", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("disabled_at", "bigint")
    .addColumn("password_hash", "text")
    .addColumn("totp_secret", "text")
    .addColumn("totp_counter", "bigint", required)
    .addColumn("link_hash", "text")
    .addColumn("link_until", "bigint")
    .execute()
  await db.schema
    .createTable("operator_recovery_codes")
    .addColumn("operator_id", "text", refersTo("operators.id"))
    .addColumn("code_hash", "text", required)
    .addPrimaryKeyConstraint("operator_recovery_codes_pkey", ["operator_id", "code_hash"])
    .execute()
  await db.schema
    .createTable("operator_sessions")
    .addColumn("id", "text", id)
    .addColumn("token_hash", "text", (column) => required(column).unique())
    .addColumn("operator_id", "text", refersTo("operators.id"))
    .addColumn("created_at", "bigint", required)
    .addColumn("used_at", "bigint", required)
    .addColumn("proven_at", "bigint", required)
    .addColumn("ended_at", "bigint")
    .addColumn("address", "text")
    .addColumn("browser", "text")
    .execute()
  await db.schema
    .createIndex("operator_sessions_by_operator")
    .on("operator_sessions")
    .columns(["operator_id", "created_at"])
    .execute()
  await createAuditLog(db)
  await createSums(db)
}

/** Rows are only ever added; each has the hash of the one before. */
async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("audit_log")
    .addColumn("position", "bigint", id)
    .addColumn("at", "bigint", required)
    .addColumn("operator_id", "text")
    .addColumn("operator", "text", required)
    .addColumn("action", "text", required)
    .addColumn("subject", "text", required)
    .addColumn("outcome", "text", required)
    .addColumn("reason", "text")
    .addColumn("before", "text")
    .addColumn("after", "text")
    .addColumn("form_key", "text", (column) => column.unique())
    .addColumn("previous_hash", "text", required)
    .addColumn("hash", "text", required)
    .execute()
  await db.schema
    .createIndex("audit_log_by_subject")
    .on("audit_log")
    .columns(["subject", "position"])
    .execute()
}

/** Sums of closed hours, what an operator has taken, and the indexes from which the sums are made. */
async function createSums(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("hourly_sums")
    .addColumn("hour", "bigint", required)
    .addColumn("figure", "text", required)
    .addColumn("currency", "text", required)
    .addColumn("count", "bigint", required)
    .addColumn("amount", "bigint", required)
    .addPrimaryKeyConstraint("hourly_sums_pkey", ["hour", "figure", "currency"])
    .execute()
  await db.schema
    .createTable("taken_needs")
    .addColumn("need", "text", id)
    .addColumn("operator_id", "text", refersTo("operators.id"))
    .addColumn("at", "bigint", required)
    .execute()
  await db.schema
    .createIndex("invoices_by_payment")
    .on("invoices")
    .column("paid_at")
    .where(sql.ref("paid_at"), "is not", null)
    .execute()
  await db.schema.createIndex("payments_by_time").on("payments").column("booked_at").execute()
}
