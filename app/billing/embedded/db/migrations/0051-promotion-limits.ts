import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const promotionLimits: Migration = { up }

/** Billing cycles and uses per person of promotions, and those that are switched off; the orders of a customer by promotion. */
async function up(db: Kysely<unknown>): Promise<void> {
  const promotions = db.schema.alterTable("promotions")
  await promotions.addColumn("cycles", "text").execute()
  await promotions.addColumn("uses_per_person", "integer").execute()
  await promotions.addColumn("off_since", "bigint").execute()
  await db.schema
    .createIndex("orders_by_customer_and_promotion")
    .on("orders")
    .columns(["client_id", "promo_key"])
    .where(sql.ref("promo_key"), "is not", null)
    .execute()
}
