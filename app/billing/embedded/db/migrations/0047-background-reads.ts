import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const backgroundReads: Migration = { up }

/**
 * Indexes of overdue orders and of services that renew from account credit. Both have their condition as a column too: SQLite
 * has no statistics, and prefers an index with that column to one that has it in its condition alone. Without them each
 * sweep read all unpaid orders, and all active services.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("orders_overdue").execute()
  await db.schema
    .createIndex("orders_overdue")
    .on("orders")
    .columns(["status", "deadline"])
    // Alternatives: from a status that equals one of them both engines conclude the condition, from `in` only PostgreSQL.
    .where(sql<boolean>`status = 'placed' or status = 'awaiting-payment' or status = 'partially-paid'`)
    .execute()
  await db.schema
    .createIndex("services_by_balance_renewal")
    .on("services")
    .columns(["balance_renewal", "paid_until"])
    .where(sql<boolean>`balance_renewal = 1`)
    .execute()
}
