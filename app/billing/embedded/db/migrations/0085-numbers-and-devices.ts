import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { isShared } from "../engines/postgresql.server"

export const numbersAndDevices: Migration = { up }

/**
 * `skipped`: numbers of invoices and credit notes that were handed out after the backup that was restored: the shop has no documents of
 * them. Operators find a service by the address of its device, and an order by the beginning of its number, for which PostgreSQL has no
 * index of the primary key's order.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("document_numbers")
    .addColumn("skipped", "bigint", (column) => column.notNull().defaultTo(0))
    .execute()
  await devicesAndOrderNumbers(db)
}

/** What versions do not have that knew this migration as `0085-skipped-numbers`. */
export async function devicesAndOrderNumbers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("services_by_device")
    .on("services")
    .column("device_address")
    .where(sql<boolean>`device_address is not null`)
    .execute()
  if (isShared(db)) await sql`create index orders_by_number on orders (id collate "C")`.execute(db)
}
