import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { HOUR } from "~/domain/calendar"

export const heldOrders: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await creditSources(db)
  await velocity(db)
  await decisions(db)
}

/** Source invoice of spent account credit; unknown (null) for credit spent before. */
async function creditSources(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("credit_movements").addColumn("source_invoice_id", "text").execute()
  await db.schema
    .createIndex("credit_by_source")
    .on("credit_movements")
    .column("source_invoice_id")
    .where(sql.ref("source_invoice_id"), "is not", null)
    .execute()
}

/** The operator's decision on an order on hold, and the credit scope that may pay it after its release. */
async function decisions(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("decision", "text").execute()
  await db.schema.alterTable("orders").addColumn("credit_scope", "text").execute()
}

/** Network and browser of orders, by which the fraud check counts unpaid orders. */
async function velocity(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("network", "text").execute()
  await db.schema.alterTable("orders").addColumn("browser", "text").execute()
  // Only orders of the last hour count. The network of an IPv4 address is itself; SQL cannot compute that of IPv6.
  await sql`
    update orders set network = address
    where placed_at > (select max(placed_at) from orders) - ${sql.lit(HOUR)} and address not like '%:%'
  `.execute(db)
  await db.schema.dropIndex("orders_of_address").execute()
  for (const column of ["network", "browser"]) {
    await db.schema
      .createIndex(`orders_of_${column}`)
      .on("orders")
      .columns([column, "placed_at"])
      .where(sql.ref(column), "is not", null)
      .execute()
  }
}
