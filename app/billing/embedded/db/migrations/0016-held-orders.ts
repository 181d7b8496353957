import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { HOUR } from "~/domain/calendar"

export const heldOrders: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await creditSources(db)
  await velocity(db)
  await decisions(db)
}

/** Which invoice had brought the credit that pays another one. Of what was spent before, nobody knows. */
async function creditSources(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("credit_movements").addColumn("source_invoice_id", "text").execute()
  await db.schema
    .createIndex("credit_by_source")
    .on("credit_movements")
    .column("source_invoice_id")
    .where(sql.ref("source_invoice_id"), "is not", null)
    .execute()
}

/** What the operator has decided on a held order, and whose credit may pay it should it go on. */
async function decisions(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("decision", "text").execute()
  await db.schema.alterTable("orders").addColumn("credit_scope", "text").execute()
}

/** By what unpaid orders are counted: the network and the browser they came from. */
async function velocity(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("network", "text").execute()
  await db.schema.alterTable("orders").addColumn("browser", "text").execute()
  // Only those of the last hour still count. An IPv4 address is its own network; IPv6 ones cannot be read here.
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
