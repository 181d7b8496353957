import { type Kysely, sql } from "kysely"
import { isShared } from "~/billing/embedded/db/database.server"
import type { Tables } from "~/billing/embedded/db/schema/schema"
import { type Growth, rowTemplates } from "./row-templates"
import { grownOrders } from "./seed-orders"
import { grownMoney } from "./seed-payments"

/**
 * Fills an empty database like years of sales, by SQL in the engine: every table that grows with orders, one customer
 * per order, a tenth of the orders open. The ledger balances, but timelines are short.
 */
export async function grow(db: Kysely<Tables>, growth: Growth): Promise<void> {
  const templates = rowTemplates(growth)
  const { orders } = growth
  for (const [table, { from = "true", of }] of Object.entries({
    ...grownOrders(templates),
    ...grownMoney(templates),
  })) {
    const columns = sql.join(Object.keys(of).map((column) => sql.ref(column)))
    const values = sql.raw(Object.values(of).join(", "))
    await sql`
      insert into ${sql.table(table)} (${columns})
      with recursive n(i) as (select cast(1 as bigint) union all select i + 1 from n where i < ${sql.lit(orders)})
      select ${values} from n where ${sql.raw(from)}`.execute(db)
  }
  await sql.raw(isShared(db) ? "vacuum analyze" : "analyze").execute(db)
}
