import { type Kysely, sql } from "kysely"
import { isShared } from "~/billing/embedded/db/engines/postgresql.server"
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
  if (isShared(db)) await sql`vacuum analyze`.execute(db)
  else await countWithoutPlanner(db)
}

/** What SQLite's `analyze` counts is kept for the tests and not for the planner: a shop's database has no statistics. */
async function countWithoutPlanner(db: Kysely<Tables>): Promise<void> {
  await sql`analyze`.execute(db)
  await sql`create table rows_by_index as select idx, stat from sqlite_stat1`.execute(db)
  await sql`delete from sqlite_stat1`.execute(db)
  // Loads the statistics anew, of which there are none now.
  await sql`analyze sqlite_schema`.execute(db)
}
