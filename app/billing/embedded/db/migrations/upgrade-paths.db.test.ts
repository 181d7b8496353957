import { type Kysely, sql } from "kysely"
import { Migrator } from "kysely/migration"
import { describe, expect, inject, test } from "vitest"
import {
  type Columns,
  inPresentNames,
  insertRow,
  rowsOfBefore,
  type StoredRow,
  stored,
} from "../../../../../tests/fixtures/migration-fixtures"
import { freshDatabase } from "../../../../../tests/support/db/postgres"
import { openDatabase } from "../database.server"
import { latestMigration, migrate, migrations } from "../migrate.server"
import type { Tables } from "../schema/schema"

/** Expected values of columns that are newer than the row. */
const ofOlderRows: Record<string, StoredRow> = {
  price_moves: { kind: "announcement" },
  clients: {
    country: null,
    password_scope: "account",
    password_id: null,
    sessions_since: null,
    sign_up_sessions_since: null,
    email_proven_at: null,
    business: null,
    external_key: null,
  },
  orders: {
    kind: "plan",
    service_id: "s1",
    affiliate_id: null,
    proven: 0,
    network: "192.0.2.7",
    browser: null,
    access_scope: null,
    password_id: null,
    decision: null,
    credit_scope: null,
    sale_terms: null,
    trial_hours: null,
    is_uncounted: null,
    credits: null,
    adds_credits: null,
    tax: null,
    external_tax: null,
    tax_corrected_at: null,
  },
  order_lines: { quantity: null, listed: null },
  // Of its order.
  order_tags: { placed_at: 2 },
  approvals: { client_id: null },
  operators: { access_at: 1_760_000_000_011, counts_at_once: 0 },
  services: {
    device_requested: null,
    kind: "plan",
    cycle: null,
    currency: "GBP",
    device_address: null,
    notes: "",
    local_id: null,
    term_anchor: null,
    term_zone: null,
    term_count: 0,
    extra_days: 0,
    paid_until: null,
    not_before: null,
    suspended_at: null,
    suspension_owner: null,
    suspension_reason: null,
    renewal_price: null,
    renewal_discount: 0,
    discounted_terms: null,
    declined_at: null,
    decline_reason: null,
    balance_renewal: 0,
    next_step: null,
    next_step_at: null,
    held_since: null,
    announced_price: null,
    announced_from: null,
    plan_changed_at: null,
    trial_hours: null,
  },
  renewal_items: { paid_until: null, discounted_terms: null },
  mails: { tried_at: null, email_key: null },
  products: {
    renewal_price: null,
    grace_days: null,
    trial_hours: null,
    is_hidden: null,
    scheduled_prices: null,
  },
  promotions: { renewals: null, cycles: null, uses_per_person: null, off_since: null },
  invoices: { credited: 500 },
  payments: { part_placed_at: 2 },
  tax_documents: { buyer_email: null },
  document_numbers: { skipped: 0 },
  credit_movements: { source_invoice_id: null, reason: null, grant_key: null },
  payment_attempts: {
    coin: null,
    poll_after: 0,
    resumed_at: null,
    gross: 8_400,
    refunded: 0,
    refund_left: null,
    ends_at: null,
  },
  outbox: { put_off_at: 0, renewed_until: 0 },
  external_orders: { held_until: 0, held_by: null },
  audit_log: { form_typed: null },
  catalogue_versions: { form_key: null },
  tax_versions: { form_key: null },
  brand_versions: { form_key: null },
}

/** The payment of the report that the migration finds, which does not say how much. */
const takenOver: StoredRow = {
  id: "reported-1",
  gateway: "offshore",
  payment_key: "a1",
  payment_id: null,
  attempt_id: "a1",
  reason: "currency-mismatch",
  detail: "9.00 CHF",
  currency: null,
  gross: 0,
  refunded: 0,
  refund_left: null,
  handled: 0,
  count: 2,
  first_at: 3,
  at: 4,
  state: "open",
  order_id: null,
  client_id: null,
  reference: null,
  operator: null,
  operator_reason: null,
  handled_at: null,
}

/** Schemas that store surplus among the payments. Earlier ones have no payments and therefore no surplus. */
const surplusAmongPayments = [
  "0003-money",
  "0004-jobs",
  "0005-visitors",
  "0006-customers-side",
  "0007-reseller-credits",
  "0008-reseller-programme",
]
const beforePayments = ["0001-catalogue", "0002-orders"]

/**
 * What databases of some versions have: all migrations up to one, without earlier ones that were finished after it. Those of a
 * version that had several of them one by one are in the longest.
 */
const withGaps = [
  { schema: "0019-long-jobs", without: ["0014-access-scope", "0015-ended-sessions"] },
  { schema: "0024-dunning", without: ["0023-renewals"] },
  { schema: "0041-failed-jobs", without: ["0039-plan-changes"] },
  { schema: "0048-gateway-drains", without: ["0043-trials"] },
  { schema: "0063-catalogue-versions", without: ["0056-promotion-codes", "0057-resellers"] },
  { schema: "0070-brand-versions", without: ["0066-businesses", "0067-accounting"] },
  { schema: latestMigration, without: ["0082-operator-access"] },
]

/** What databases have of versions in which migrations had other names. */
const withFormerNames = [
  {
    former: "0069-rejected-callbacks",
    schema: "0069-operator-console",
    rest: /_of_product$|^audit_log_by_time$/,
  },
  { former: "0073-upsells", schema: "0072-upsells" },
  { former: "0074-discounted-renewals", schema: "0073-discounted-renewals" },
  { former: "0075-buyer-emails", schema: "0074-buyer-emails" },
  { former: "0081-late-payments", schema: "0075-late-payments" },
  { former: "0083-ordered-credits", schema: "0076-ordered-credits" },
  {
    former: "0085-skipped-numbers",
    schema: "0085-numbers-and-devices",
    rest: /^(services_by_device|orders_by_number)$/,
  },
]

const engines: [string, () => string | Promise<string>][] = [
  ["SQLite", () => ":memory:"],
  ["PostgreSQL", () => freshDatabase(inject("postgres"))],
]

/** Queries for the names of all indexes, and of constraints on PostgreSQL. */
const namesOn: Record<string, string> = {
  SQLite: "select name from sqlite_master where type = 'index'",
  PostgreSQL: `select indexname as name from pg_indexes where schemaname = current_schema()
    union select conname from pg_constraint`,
}

describe.each(engines)("on %s", (engine, url) => {
  test.each(Object.keys(migrations))("migrating from schema %s keeps all rows", async (schema) => {
    const db = openDatabase({ url: await url(), timeoutMs: 10_000 })
    await migrate(db, schema)
    await expectToKeepRows(db, schema)
    await db.destroy()
  })

  test.each(withGaps)("migrating from schema $schema without $without keeps all rows", async (version) => {
    const db = openDatabase({ url: await url(), timeoutMs: 10_000 })
    await migrateAs(db, version)
    await expectToKeepRows(db, version.schema)
    const present = openDatabase({ url: await url(), timeoutMs: 10_000 })
    await migrate(present)
    expect(await namesOf(db, engine)).toEqual(await namesOf(present, engine))
    await Promise.all([db.destroy(), present.destroy()])
  })

  test.each(withFormerNames)(
    "migrating from schema $former, now $schema, keeps all rows",
    async (version) => {
      const { former, schema, rest } = version
      const db = openDatabase({ url: await url(), timeoutMs: 10_000 })
      await migrate(db, schema)
      for (const index of (await namesOf(db, engine)).filter((it) => rest?.test(it)))
        await db.schema.dropIndex(index).execute()
      await sql`update kysely_migration set name = ${former} where name = ${schema}`.execute(db)
      await expectToKeepRows(db, schema)
      const present = openDatabase({ url: await url(), timeoutMs: 10_000 })
      await migrate(present)
      expect(await namesOf(db, engine)).toEqual(await namesOf(present, engine))
      await Promise.all([db.destroy(), present.destroy()])
    },
  )

  test("no index or constraint has the former name of a table or column", async () => {
    const db = openDatabase({ url: await url(), timeoutMs: 10_000 })
    await migrate(db)
    const names = await namesOf(db, engine)
    expect(names).toEqual(expect.arrayContaining(["external_orders_to_poll", "services_by_local_id"]))
    expect(names.filter((name) => /orders_there|bookmarks|to_ask|former_id/.test(name))).toEqual([])
    await db.destroy()
  })

  test("migrating a database with an unknown newer schema fails and changes nothing", async () => {
    const db = openDatabase({ url: await url(), timeoutMs: 10_000 })
    await migrate(db, "0005-visitors")
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(db)
    await expect(migrate(db)).rejects.toMatchObject({
      name: "BillingError",
      kind: "refused",
      message: expect.stringMatching(/^Database schema 9999-later is newer than .*No changes were made\.$/),
    })
    expect((await columnsOf(db)).has("blocks")).toBe(false)
    await db.destroy()
  })
})

/** Migrates empty tables as a version does that has not all migrations up to its schema. */
async function migrateAs(
  db: Kysely<Tables>,
  { schema, without }: { schema: string; without: readonly string[] },
): Promise<void> {
  const then = Object.entries(migrations).filter(([name]) => name <= schema && !without.includes(name))
  const provider = { getMigrations: async () => Object.fromEntries(then) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw error
}

/** Fills tables of a schema, migrates them, and compares all rows. */
async function expectToKeepRows(db: Kysely<Tables>, schema: string): Promise<void> {
  const before = await columnsOf(db)
  await fill(db, before)
  const known = inPresentNames(before)

  await migrate(db)
  for (const [table, columns] of await columnsOf(db)) {
    // The migration that creates it writes its row, whose id is random.
    if (table === "event_streams") continue
    const { rows } = await sql<StoredRow>`select * from ${sql.table(table)} order by 1`.execute(db)
    expect({ table, rows }).toEqual({ table, rows: expected(schema, table, known, columns) })
  }
}

async function namesOf(db: Kysely<Tables>, engine: string): Promise<readonly string[]> {
  const { rows } = await sql.raw<{ name: string }>(namesOn[engine] ?? "").execute(db)
  return rows.map(({ name }) => name).toSorted()
}

async function columnsOf(db: Kysely<Tables>): Promise<Columns> {
  const tables = await db.introspection.getTables()
  return new Map(tables.map(({ name, columns }) => [name, columns.map((it) => it.name)]))
}

/** Inserts the rows in the order of the foreign keys. */
async function fill(db: Kysely<Tables>, before: Columns): Promise<void> {
  for (const table of Object.keys(rowsOfBefore)) {
    const account: StoredRow = table === "payments" ? { account: "invoice" } : {}
    for (const row of stored(table)) await insertRow(db, before, table, { ...row, ...account })
  }
  const surplus = { ...rowsOfBefore.payments, id: "p2", amount: 500, account: "credit" }
  if (before.get("payments")?.includes("account")) await insertRow(db, before, "payments", surplus)
}

function expected(schema: string, table: string, before: Columns, columns: readonly string[]): StoredRow[] {
  if (table === "credit_movements" && surplusAmongPayments.includes(schema)) return stored(table)
  if (table === "unmatched_payments" && !before.has(table))
    return before.has("unapplied_reports") ? [takenOver] : []
  const then = before.get(table)
  if (!then) return []
  const later = columns.filter((column) => !then.includes(column))
  return stored(table).map((row) => ({ ...row, ...only(later, laterIn(schema, table)) }))
}

function laterIn(schema: string, table: string): StoredRow {
  return table === "invoices" && beforePayments.includes(schema)
    ? { credited: 0 }
    : (ofOlderRows[table] ?? {})
}

function only(columns: readonly string[], row: StoredRow): StoredRow {
  return Object.fromEntries(columns.map((column) => [column, held(row[column], column)]))
}

function held(value: StoredRow[string] | undefined, column: string) {
  if (value === undefined) throw new Error(`Missing expected value of column ${column} in ofOlderRows`)
  return value
}
