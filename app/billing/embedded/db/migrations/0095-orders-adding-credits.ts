import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const ordersAddingCredits: Migration = { up }

/** Whether the credits of a reseller plan go to an account that the buyer has by the payment. Null for orders of before: they open one. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("adds_credits", "integer").execute()
}
