import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const terms: Migration = { up }

/** Terms of services with suspension and renewal price, their timeline, renewal orders, and days given to many services. */
async function up(db: Kysely<unknown>): Promise<void> {
  await services(db)
  await renewals(db)
  await campaigns(db)
  await db.schema.alterTable("products").addColumn("renewal_price", "text").execute()
  await db.schema.alterTable("products").addColumn("grace_days", "integer").execute()
  await db.schema.alterTable("promotions").addColumn("renewals", "integer").execute()
}

const textColumns = [
  "term_zone",
  "suspension_owner",
  "suspension_reason",
  "decline_reason",
  "next_step",
] as const
const numberColumns = [
  "term_anchor",
  "paid_until",
  "not_before",
  "suspended_at",
  "renewal_price",
  "declined_at",
  "next_step_at",
  "held_since",
] as const

async function services(db: Kysely<unknown>): Promise<void> {
  const table = db.schema.alterTable("services")
  for (const name of textColumns) await table.addColumn(name, "text").execute()
  for (const name of numberColumns) await table.addColumn(name, "bigint").execute()
  await table.addColumn("discounted_terms", "integer").execute()
  for (const name of ["term_count", "extra_days", "balance_renewal"])
    await table.addColumn(name, "integer", (column) => required(column).defaultTo(0)).execute()
  await table.addColumn("renewal_discount", "bigint", (column) => required(column).defaultTo(0)).execute()

  const index = (name: string, column: string) =>
    db.schema.createIndex(name).on("services").column(column).where(sql.ref(column), "is not", null).execute()
  await index("services_by_end", "paid_until")
  await index("services_by_next_step", "next_step_at")
  await db.schema
    .createTable("service_events")
    .addColumn("service_id", "text", required)
    .addColumn("position", "integer", required)
    .addColumn("kind", "text", required)
    .addColumn("at", "bigint", required)
    .addColumn("detail", "text")
    .addPrimaryKeyConstraint("service_events_key", ["service_id", "position"])
    .execute()
}

async function renewals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("renewal_items")
    .addColumn("order_id", "text", refersTo("orders.id"))
    .addColumn("service_id", "text", required)
    .addColumn("position", "integer", required)
    .addColumn("terms", "integer", required)
    .addColumn("amount", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("applied_at", "bigint")
    .addPrimaryKeyConstraint("renewal_items_key", ["order_id", "service_id"])
    .execute()
  await db.schema.createIndex("renewal_items_by_service").on("renewal_items").column("service_id").execute()
}

async function campaigns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("term_campaigns")
    .addColumn("id", "text", id)
    .addColumn("reason", "text", required)
    .addColumn("days", "integer", required)
    .addColumn("product_id", "text")
    .addColumn("active_at", "bigint", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("undone_at", "bigint")
    .execute()
  await db.schema
    .createTable("term_campaign_items")
    .addColumn("campaign_id", "text", refersTo("term_campaigns.id"))
    .addColumn("service_id", "text", required)
    .addColumn("days", "integer", required)
    .addColumn("applied_at", "bigint", required)
    .addColumn("undone_at", "bigint")
    .addPrimaryKeyConstraint("term_campaign_items_key", ["campaign_id", "service_id"])
    .execute()
  await db.schema
    .createIndex("term_campaign_items_by_service")
    .on("term_campaign_items")
    .column("service_id")
    .execute()
}
