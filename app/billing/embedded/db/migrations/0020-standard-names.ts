import { type Kysely, PostgresAdapter, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const standardNames: Migration = { up }

const tables: readonly (readonly [string, string])[] = [
  ["orders_there", "external_orders"],
  ["bookmarks", "cursors"],
]

const columns: readonly (readonly [table: string, from: string, to: string])[] = [
  ["external_orders", "ask_at", "poll_after"],
  ["payment_attempts", "ask_at", "poll_after"],
  ["payment_attempts", "asked_at", "polled_at"],
  ["services", "former_id", "local_id"],
  ["promotions", "hundredths", "basis_points"],
  ["clients", "password_reach", "password_scope"],
]

/** Renames two tables, six columns and the three indexes named after them. No row changes. */
async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ["orders_there_to_ask", "attempts_to_ask", "services_by_former_id"])
    await db.schema.dropIndex(name).execute()
  for (const [from, to] of tables) await db.schema.alterTable(from).renameTo(to).execute()
  for (const [table, from, to] of columns) await db.schema.alterTable(table).renameColumn(from, to).execute()
  await createIndexes(db)
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    for (const [from, to] of tables) await renameConstraints(db, from, to)
  }
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("external_orders_to_poll")
    .on("external_orders")
    .columns(["state", "poll_after"])
    .execute()
  await db.schema
    .createIndex("attempts_to_poll")
    .on("payment_attempts")
    .columns(["gateway", "poll_after"])
    .where(sql<boolean>`status in ('pending', 'processing', 'partially-paid') and url is not null`)
    .execute()
  await db.schema
    .createIndex("services_by_local_id")
    .on("services")
    .column("local_id")
    .where(sql.ref("local_id"), "is not", null)
    .execute()
}

/** PostgreSQL names a table's constraints after the table and keeps these names when the table is renamed. */
async function renameConstraints(db: Kysely<unknown>, from: string, to: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint where conrelid = ${to}::regclass`.execute(db)
  for (const { name } of rows.filter((it) => it.name.startsWith(`${from}_`))) {
    const renamed = `${to}${name.slice(from.length)}`
    await sql`alter table ${sql.table(to)} rename constraint ${sql.ref(name)} to ${sql.ref(renamed)}`.execute(
      db,
    )
  }
}
