import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const returnedPrices: Migration = { up }

/**
 * Runs that take an announced price back from all services of a plan, beside those that announce one: they have no price. SQLite drops no
 * NOT NULL, so that the column is made anew.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const table = () => db.schema.alterTable("price_moves")
  await table()
    .addColumn("kind", "text", (column) => required(column).defaultTo("announcement"))
    .execute()
  await table().renameColumn("price", "price_of_before").execute()
  await table().addColumn("price", "bigint").execute()
  await sql`update price_moves set price = price_of_before`.execute(db)
  await table().dropColumn("price_of_before").execute()
}
