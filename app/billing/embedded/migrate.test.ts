import { Kysely, sql } from "kysely"
import { Migrator } from "kysely/migration"
import { expect, test } from "vitest"
import { sqliteDialect } from "./engines/sqlite.server"
import { migrate, migrations } from "./migrate.server"
import { order } from "./orders/orders.server"
import { service } from "./orders/services.server"
import type { Tables } from "./schema/schema"

test("an order of before customers had their side is still there, with its service and its currency", async () => {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(":memory:") })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  await migrator.migrateTo("0005-visitors")
  for (const row of rowsOfBefore) await sql.raw(row).execute(db)

  await migrate(db)
  const books = { db, newId: () => "unused" }
  expect(await order(books, "ORDER7")).toMatchObject({
    ...{ kind: "plan", serviceId: "s1", status: "active", total: { minor: 7_900, currency: "GBP" } },
  })
  expect(await service(books, "s1")).toMatchObject({
    ...{ kind: "plan", currency: "GBP", cycle: null, deviceAddress: null, notes: "", connections: 2 },
  })
  await db.destroy()
})

const rowsOfBefore = [
  `insert into clients (id, email_key, email, locale, currency, created_at)
   values ('c1', 'ana@example.test', 'ana@example.test', 'en-gb', 'GBP', 1)`,
  `insert into orders (id, one_time_key, client_id, status, gateway, locale, placed_at, deadline)
   values ('ORDER7', 'key', 'c1', 'active', 'offshore', 'en-gb', 1, 2)`,
  `insert into order_lines (order_id, position, kind, product_id, name, amount, currency)
   values ('ORDER7', 0, 'plan', '3', '12 months', 7900, 'GBP')`,
  `insert into invoices (id, order_id, client_id, status, total, received, currency, created_at)
   values ('i1', 'ORDER7', 'c1', 'paid', 7900, 7900, 'GBP', 1)`,
  `insert into services (id, order_id, client_id, product_id, name, status, username, password, host,
     connections, proxy_protection, created_at)
   values ('s1', 'ORDER7', 'c1', '3', '12 months', 'Active', 'TVABCDEFGH', '0123456789', 'https://tv.test', 2, 0, 1)`,
]
