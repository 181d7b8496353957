import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const catalogue: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("products")
    .addColumn("id", "text", id)
    .addColumn("kind", "text", required)
    .addColumn("position", "integer", required)
    .addColumn("name", "text", required)
    .addColumn("pay_type", "text", required)
    .addColumn("pricing", "text", required)
    .addColumn("options", "text", required)
    .addColumn("custom_fields", "text", required)
    .addColumn("credits", "integer")
    .execute()

  await db.schema
    .createTable("promotions")
    .addColumn("code_key", "text", id)
    .addColumn("position", "integer", required)
    .addColumn("code", "text", required)
    .addColumn("product_ids", "text", required)
    .addColumn("starts_on", "text")
    .addColumn("ends_on", "text")
    .addColumn("hundredths", "integer")
    .addColumn("amount", "bigint")
    .addColumn("currency", "text")
    .addColumn("max_uses", "integer")
    .addColumn("uses", "integer", (column) => required(column).defaultTo(0))
    .execute()
}
