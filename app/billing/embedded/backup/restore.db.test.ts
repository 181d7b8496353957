import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { rowsOfBefore, type StoredRow } from "../../../../tests/fixtures/migration-fixtures"
import {
  asFile,
  engines,
  fill,
  linesOf,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { latestMigration } from "../db/migrate.server"
import { observe, recordOutage } from "../dunning/brake.server"
import { usableAccountCredit } from "../ledger/customer-credit.server"
import { findImbalances } from "../ledger/ledger-check.server"
import { order } from "../orders/orders.server"
import { type BackupRow, writeBackup } from "./backup-format.server"
import { restore } from "./restore.server"

type Entry = readonly [string, BackupRow]

/** A backup with valid counts and digest, whatever rows it has. */
async function sealed(schema: string, entries: readonly Entry[]): Promise<string[]> {
  const head = { schema, at: "2026-06-15T12:00:00.000Z" }
  const rows = async function* () {
    yield* entries
  }
  const lines: string[] = []
  for await (const line of writeBackup(head, rows())) lines.push(line.slice(0, -1))
  return lines
}

const entriesIn = (lines: readonly string[]): Entry[] => lines.slice(1, -1).map((line) => JSON.parse(line))
const changed = (table: string, change: BackupRow) => async (lines: readonly string[]) =>
  sealed(
    latestMigration,
    entriesIn(lines).map(([name, row]) => (name === table ? [name, { ...row, ...change }] : [name, row])),
  )

type Spoiled = [string, (lines: readonly string[]) => readonly string[] | Promise<readonly string[]>, RegExp]
const spoiled: Spoiled[] = [
  ["an empty file", () => [], /^Invalid backup: the file is empty\.$/],
  ["a PNG image", () => ["\u0089PNG", "…"], /^Invalid backup: unknown file format\./],
  ["a catalogue file", () => ["{", '"plans": []', "}"], /^Invalid backup: unknown file format\./],
  [
    "a backup of a newer format",
    ([head, ...rest]) => [head?.replace(/"format":1/, '"format":2') ?? "", ...rest],
    /^Invalid backup: the format is newer/,
  ],
  [
    "a backup of a newer schema",
    () => sealed("9999-later", []),
    /^Cannot restore: the backup is from a newer version \(9999-later\)/,
  ],
  ["a backup without its last line", (lines) => lines.slice(0, -1), /^Invalid backup: truncated/],
  ["a backup with only its head", (lines) => lines.slice(0, 1), /^Invalid backup: truncated/],
  [
    "a backup truncated within a line",
    (lines) => [...lines.slice(0, 9), '["orders",{"id":"OR'],
    /^Invalid backup: truncated/,
  ],
  [
    "a backup with a duplicate line",
    (lines) => [...lines.slice(0, 2), ...lines.slice(1)],
    /expected 1 rows .* found 2/,
  ],
  ["a backup with a missing line", (lines) => lines.toSpliced(2, 1), /expected 1 rows .* found 0/],
  [
    "a backup with a changed amount",
    (lines) => lines.map((line) => line.replace(":8400", ":9400")),
    /digest/,
  ],
  ["a backup with an invalid row", (lines) => lines.with(3, '["orders",{"id":[]}]'), /line 4 is not a row/],
  [
    "a backup whose payments differ from its invoices",
    changed("payments", { amount: 1 }),
    /do not balance: invoices whose received .*: 1/,
  ],
  [
    "a backup whose account credit differs from its ledger",
    changed("credits", { balance: 1 }),
    /do not balance: customers whose .*: 1/,
  ],
  [
    "a backup whose reseller credits differ from their ledger",
    changed("credit_balances", { balance: 9 }),
    /do not balance: reseller credit accounts .*: 2/,
  ],
]

describe.each(engines)("on %s", (engine) => {
  let backend: TemporaryDatabase
  let before: string[]
  beforeAll(async () => {
    backend = await openTemporaryDatabase(engine)
    await fill(backend)
    before = await linesOf(backend)
  })
  afterAll(() => backend.close())

  test("restore reads a backup of a version in which the last migration had another name", async () => {
    const shop = await openTemporaryDatabase(engine)
    const { schema } = await restore(shop, asFile(await sealed("0083-ordered-credits", [])), {
      replace: true,
    })
    expect(schema).toBe("0083-ordered-credits")
    await shop.close()
  })

  test.each(spoiled)(
    "restore rejects %s with an error message and changes nothing",
    async (_, spoil, pattern) => {
      const file = asFile(await spoil(before))
      await expect(restore(backend, file, { replace: true })).rejects.toThrow(pattern)
      expect(await linesOf(backend)).toEqual(before)
    },
  )

  test("restore changes nothing if a late row violates a foreign key", async () => {
    const lines = await changed("payments", { attempt_id: "none" })(before)
    await expect(restore(backend, asFile(lines), { replace: true })).rejects.toThrow()
    expect(await linesOf(backend)).toEqual(before)
  })

  test("restore changes nothing if the file changes between validation and writing", async () => {
    const other = before.map((line) => line.replace(":8400", ":9400"))
    const readings = [before, before, other]
    const read = () => asFile(readings.shift() ?? [])()
    await expect(restore(backend, read, { replace: true })).rejects.toThrow(/digest/)
    expect(await linesOf(backend)).toEqual(before)
  })

  test("restore replaces a non-empty database only with the replace option", async () => {
    const empty = asFile(await sealed(latestMigration, []))
    await expect(restore(backend, empty, { replace: false })).rejects.toThrow(/not empty.*--replace/)
    expect(await linesOf(backend)).toEqual(before)
    await restore(backend, empty, { replace: true })
    // Head, end, the session that stays ended, and the numbers of its documents.
    expect(await linesOf(backend)).toHaveLength(4)
    await restore(backend, asFile(before), { replace: false })
    expect(await linesOf(backend)).toEqual(before)
  })

  test("restore needs no option after background passes in a database that nobody has used", async () => {
    await restore(backend, asFile(await sealed(latestMigration, [])), { replace: true })
    await observe(backend, Date.UTC(2026, 5, 15))
    await recordOutage(backend, { part: "shop", since: 0, until: 1 })
    await restore(backend, asFile(before), { replace: false })
    expect(await linesOf(backend)).toEqual(before)
  })

  test.runIf(engine === "PostgreSQL")(
    "restore succeeds beside transactions that lock two tables one after the other",
    async () => {
      let isOver = false
      const keepLocking = async () => {
        while (!isOver) {
          const work = backend.db.transaction().execute(async (tx) => {
            await sql`lock table products in row exclusive mode`.execute(tx)
            await setTimeout(60)
            await sql`lock table mails in row exclusive mode`.execute(tx)
          })
          // The restore may end one of them, as a deadlock does.
          await work.catch(() => {})
          await setTimeout(20)
        }
      }
      const locking = Promise.all([keepLocking(), keepLocking()])
      await setTimeout(30)
      await restore(backend, asFile(before), { replace: true })
      isOver = true
      await locking
      expect(await linesOf(backend)).toEqual(before)
    },
  )

  test("restore migrates a backup of an earlier schema", async () => {
    const { invoices, products, services } = rowsOfBefore
    const order_lines = onlyBefore(rowsOfBefore.order_lines, "listed")
    const { access_scope: _scope, password_id: _under, ...withHolds } = rowsOfBefore.orders ?? {}
    const { credited: _, ...invoice } = invoices ?? {}
    const { renewal_price, grace_days, trial_hours, is_hidden, scheduled_prices, ...product } = products ?? {}
    const { local_id: __, ...latest } = services ?? {}
    const service = onlyBefore(latest, "term_anchor")
    const { poll_after, polled_at, coin, gross, refunded, refund_left, ends_at, ...attempt } =
      rowsOfBefore.payment_attempts ?? {}
    const {
      sessions_since,
      sign_up_sessions_since,
      email_proven_at,
      password_id,
      password_scope,
      business,
      external_key,
      ...client
    } = rowsOfBefore.clients ?? {}
    const {
      network,
      browser,
      decision,
      credit_scope,
      sale_terms,
      trial_hours: ___,
      is_uncounted,
      tax,
      external_tax,
      tax_corrected_at,
      credits,
      adds_credits,
      ...orders
    } = withHolds
    const paid = { ...onlyBefore(rowsOfBefore.payments, "part_placed_at"), account: "invoice" }
    const tooMuch = { ...paid, id: "p2", account: "credit", amount: 500 }
    const all = {
      products: product,
      clients: { ...client, password_reach: password_scope ?? null },
      credits: rowsOfBefore.credits,
      orders,
      order_lines,
      invoices: invoice,
    }
    const rest: Entry[] = [
      ["services", service],
      ["payment_attempts", { ...attempt, asked_at: polled_at ?? null }],
    ]
    const old: Entry[] = Object.entries(all).map(([name, row]) => [name, row ?? {}])
    const lines = await sealed("0008-reseller-programme", [
      ...old,
      ...rest,
      ["payments", paid] as const,
      ["payments", tooMuch] as const,
    ])
    await restore(backend, asFile(lines), { replace: true })
    expect(await order(backend, "ORDER7")).toMatchObject({
      credited: { minor: 500 },
      total: { minor: 7_900 },
    })
    expect(
      await usableAccountCredit(backend, { customerId: "c1", currency: "GBP", scope: "account" }),
    ).toEqual({
      minor: 500,
      currency: "GBP",
    })
    expect(await findImbalances(backend)).toEqual([])
  })
})

/** The columns of a row up to a newer one, which and whose followers an earlier schema lacks. */
function onlyBefore(row: StoredRow | undefined, newer: string): StoredRow {
  const columns = Object.entries(row ?? {})
  return Object.fromEntries(
    columns.slice(
      0,
      columns.findIndex(([name]) => name === newer),
    ),
  )
}
