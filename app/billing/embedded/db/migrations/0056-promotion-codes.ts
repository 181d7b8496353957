import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { isShared } from "../engines/postgresql.server"
import { id, required } from "./columns"

export const promotionCodes: Migration = { up }

/** One-time codes of promotions, listed in the order of their bytes, by which both engines find beginnings. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("promotion_codes")
    .addColumn("code_key", "text", id)
    .addColumn("promotion_key", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("order_id", "text", (column) => column.references("orders.id"))
    .addColumn("withdrawn_at", "bigint")
    .execute()
  const code = isShared(db) ? sql`code_key collate "C"` : sql`code_key`
  await sql`create index promotion_codes_by_promotion on promotion_codes (promotion_key, ${code})`.execute(db)
  if (isShared(db))
    await sql`create index promotions_by_code on promotions (code_key collate "C")`.execute(db)
  await db.schema
    .createIndex("promotion_codes_by_order")
    .unique()
    .on("promotion_codes")
    .column("order_id")
    .where(sql.ref("order_id"), "is not", null)
    .execute()
}
