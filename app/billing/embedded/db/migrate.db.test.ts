import { Kysely, sql } from "kysely"
import { Migrator } from "kysely/migration"
import { expect, inject, test } from "vitest"
import { freshDatabase } from "../../../../tests/support/db/postgres"
import { usableAccountCredit } from "../ledger/customer-credit.server"
import { ledgerEntriesOf } from "../ledger/ledger.server"
import { order } from "../orders/orders.server"
import { attemptsDueForPolling } from "../payments/attempts-to-poll.server"
import { service } from "../services/services.server"
import { openDatabase } from "./database.server"
import { sqliteDialect } from "./engines/sqlite.server"
import { migrate, migrations } from "./migrate.server"
import type { Tables } from "./schema/schema"

test("migrating from 0005-visitors keeps an order with its service and currency", async () => {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(":memory:") })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  await migrator.migrateTo("0005-visitors")
  for (const row of rowsOfBefore) await sql.raw(row).execute(db)

  await migrate(db)
  const ctx = { db, newId: () => "unused" }
  expect(await order(ctx, "ORDER7")).toMatchObject({
    kind: "plan",
    serviceId: "s1",
    status: "active",
    total: { minor: 7_900, currency: "GBP" },
  })
  expect(await service(ctx, "s1")).toMatchObject({
    kind: "plan",
    currency: "GBP",
    cycle: null,
    deviceAddress: null,
    notes: "",
    connections: 2,
  })
  await db.destroy()
})

const engines: [string, () => string | Promise<string>][] = [
  ["SQLite", () => ":memory:"],
  ["PostgreSQL", () => freshDatabase(inject("postgres"))],
]

test.each(engines)(
  "migrating from 0007-reseller-credits on %s keeps surplus as credit and passwords with account scope",
  async (_, url) => {
    const db = openDatabase({ url: await url(), timeoutMs: 10_000 })
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    await migrator.migrateTo("0007-reseller-credits")
    for (const row of [...rowsOfBefore, ...moneyOfBefore]) await sql.raw(row).execute(db)

    await migrate(db)
    const ctx = { db, newId: () => "unused" }
    expect(await order(ctx, "ORDER7")).toMatchObject({
      received: { minor: 8_400 },
      credited: { minor: 500 },
      accessScope: null,
    })
    expect(await usableAccountCredit(ctx, { customerId: "c1", currency: "GBP", scope: "account" })).toEqual({
      minor: 500,
      currency: "GBP",
    })
    expect(await ledgerEntriesOf(ctx, "ORDER7")).toMatchObject([
      { amount: { minor: 8_400 }, gateway: "offshore" },
    ])
    const client = await db.selectFrom("clients").select("password_scope").executeTakeFirstOrThrow()
    expect(client.password_scope).toBe("account")
    expect(await attemptsDueForPolling(ctx, { gateway: "offshore", now: 3, limit: 9 })).toEqual([])
    await db.destroy()
  },
)

test.each(engines)(
  "credit spent before its source was recorded is not usable again in an order's credit scope, on %s",
  async (_, url) => {
    const db = openDatabase({ url: await url(), timeoutMs: 10_000 })
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    await migrator.migrateTo("0007-reseller-credits")
    for (const row of [...rowsOfBefore, ...moneyOfBefore]) await sql.raw(row).execute(db)
    await migrator.migrateTo("0013-growth")
    await sql`insert into credit_movements (id, client_id, invoice_id, cause, amount, currency, at)
      values ('m1', 'c1', 'i1', 'used', -300, 'GBP', 3)`.execute(db)
    await sql`update credits set balance = 200`.execute(db)

    await migrate(db)
    const ctx = { db, newId: () => "unused" }
    const account = { customerId: "c1", currency: "GBP" } as const
    const left = { minor: 200, currency: "GBP" }
    expect(await usableAccountCredit(ctx, { ...account, scope: "order ORDER7" })).toEqual(left)
    expect(await usableAccountCredit(ctx, { ...account, scope: "account" })).toEqual(left)
    await db.destroy()
  },
)

const moneyOfBefore = [
  `update clients set password_hash = 'scrypt'`,
  `update orders set service_id = 's1'`,
  `update services set currency = 'GBP'`,
  `update invoices set received = 8400`,
  `insert into payment_attempts (id, order_id, gateway, amount, currency, status, received, opened_at, asked_at)
   values ('a1', 'ORDER7', 'offshore', 7900, 'GBP', 'paid', 8400, 1, 1)`,
  `insert into payments (id, account, invoice_id, client_id, attempt_id, gateway, amount, currency, booked_at)
   values ('p1', 'invoice', 'i1', 'c1', 'a1', 'offshore', 8400, 'GBP', 1)`,
  `insert into payments (id, account, invoice_id, client_id, attempt_id, gateway, amount, currency, booked_at)
   values ('p2', 'credit', 'i1', 'c1', 'a1', 'offshore', 500, 'GBP', 1)`,
  `insert into credits (client_id, currency, balance) values ('c1', 'GBP', 500)`,
]

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
