import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Worker } from "node:worker_threads"
import { Kysely, sql } from "kysely"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { catalogueFixture, placed, unique } from "../../../../../tests/contracts/billing/billing-fixtures"
import { createEmbeddedBilling } from "../../../../../tests/contracts/billing/embedded-billing"
import { createEmbeddedBilling as billingOn } from "../../open-embedded-billing.server"
import { openDatabase } from "../database.server"
import { withBillingErrors } from "../transaction.server"
import { sqliteDialect } from "./sqlite.server"

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-sqlite-"))
  file = join(folder, "boxoffice.db")
})
afterEach(() => rmSync(folder, { recursive: true }))

const healthy = { open: async () => {}, close: async () => {} }
const seen = () => new DatabaseSync(file).prepare("select text from notes").all()

test("a SQLite file is opened with WAL, synchronous NORMAL and foreign keys", async () => {
  const db = openDatabase({ url: file, timeoutMs: 1_000 })
  const pragma = async (name: string) =>
    Object.values((await sql.raw(`pragma ${name}`).execute(db)).rows[0] ?? {})
  const NORMAL = 1
  expect(await pragma("journal_mode")).toEqual(["wal"])
  expect(await pragma("synchronous")).toEqual([NORMAL])
  expect(await pragma("foreign_keys")).toEqual([1])
  await db.destroy()
})

test("a transaction that has only read blocks writes of other processes until it ends", async () => {
  const db = openDatabase({ url: file, timeoutMs: 1_000 })
  await db.schema.createTable("notes").addColumn("text", "text").execute()
  const other = new DatabaseSync(file, { timeout: 0 })
  const write = () => other.exec("insert into notes (text) values ('of another process')")
  await db.transaction().execute(async (tx) => {
    await sql`select text from notes`.execute(tx)
    expect(write).toThrow("database is locked")
  })
  write()
  expect(seen()).toEqual([{ text: "of another process" }])
  other.close()
  await db.destroy()
})

test("on a full disk the first cause is reported and the shop is unhealthy for ten seconds", async () => {
  const now = vi.spyOn(performance, "now")
  const db = openDatabase({ url: file, timeoutMs: 1_000 })
  await db.schema.createTable("notes").addColumn("text", "text").execute()
  const { healthy } = billingOn({ db, newId: unique })
  expect(await healthy()).toBe(true)
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
  await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(db)
  const writing = db.transaction().execute(async (tx) => {
    await sql`insert into notes (text) values (${"x".repeat(100_000)})`.execute(tx)
  })
  await expect(withBillingErrors(writing)).rejects.toThrow("Database unavailable: database or disk is full")
  expect(await healthy()).toBe(false)
  now.mockReturnValue(performance.now() + 10_001)
  expect(await healthy()).toBe(true)
  now.mockRestore()
  await db.destroy()
})

test("without WAL, SQLite flushes with synchronous FULL and the group commit is unused", async () => {
  const flush = vi.fn(async () => {})
  const db = new Kysely<{ notes: { text: string } }>({
    dialect: sqliteDialect(":memory:", { disk: { ...healthy, flush } }),
  })
  await db.schema.createTable("notes").addColumn("text", "text").execute()
  await db.insertInto("notes").values({ text: "kept" }).execute()
  expect(Object.values((await sql`pragma synchronous`.execute(db)).rows[0] ?? {})).toEqual([2])
  expect(flush).not.toHaveBeenCalled()
  await db.destroy()
})

test("a write resolves after its flush, and other writes proceed meanwhile", async () => {
  const disk = { flushes: 0, done: Promise.withResolvers<void>() }
  const flush = () => {
    disk.flushes++
    return disk.done.promise
  }
  const dialect = sqliteDialect(file, { disk: { ...healthy, flush } })
  const db = new Kysely<{ notes: { text: string } }>({ dialect })
  const heard: string[] = []
  const write = (text: string) =>
    db
      .insertInto("notes")
      .values({ text })
      .execute()
      .then(() => heard.push(text))

  const table = db.schema.createTable("notes").addColumn("text", "text").execute()
  await vi.waitUntil(() => disk.flushes === 1, { timeout: 15_000 })
  const all = [
    write("one"),
    db.transaction().execute(async (tx) => {
      await tx.insertInto("notes").values({ text: "two" }).execute()
      heard.push("inside")
    }),
  ]
  await vi.waitUntil(() => seen().length === 2, { timeout: 15_000 })
  expect(heard).toEqual(["inside"])
  expect(disk.flushes).toBe(1)
  disk.done.resolve()
  await Promise.all([table, ...all])
  expect(heard).toEqual(["inside", "one"])
  expect(disk.flushes).toBe(2)
  await db.destroy()
})

test("after a failed flush all reads and writes fail, and onFlushFailed is called once", async () => {
  const failures: Error[] = []
  let isFailed = false
  const flush = async () => {
    if (isFailed) throw new Error("EIO: i/o error, fdatasync")
  }
  const onFlushFailed = (error: Error) => void failures.push(error)
  const dialect = sqliteDialect(file, { disk: { ...healthy, flush }, onFlushFailed })
  const db = new Kysely<{ notes: { text: string } }>({ dialect })
  await db.schema.createTable("notes").addColumn("text", "text").execute()
  const write = (text: string) => db.insertInto("notes").values({ text }).execute()
  await write("kept")
  isFailed = true
  await expect(write("lost")).rejects.toThrow("Cannot flush the database")
  isFailed = false
  await expect(write("later")).rejects.toThrow("Cannot flush the database")
  await expect(db.selectFrom("notes").selectAll().execute()).rejects.toThrow("Cannot flush the database")
  await expect(
    db.transaction().execute((tx) => tx.insertInto("notes").values({ text: "in turn" }).execute()),
  ).rejects.toThrow("Cannot flush the database")
  expect(failures).toHaveLength(1)
  expect(seen()).not.toContainEqual({ text: "later" })
  await db.destroy()
})

test("a second start keeps the orders and the catalogue of the first", async () => {
  const first = await createEmbeddedBilling(file, catalogueFixture)
  const order = await placed(first)
  await first.close()
  const second = await createEmbeddedBilling(file, { ...catalogueFixture, products: [] })
  expect(await second.billing.order(order.id)).toEqual(order)
  expect(await second.billing.plans()).toHaveLength(2)
  await second.close()
})

test("orders succeed while another process writes to the file", async () => {
  const backend = await createEmbeddedBilling(file, catalogueFixture)
  const times = 100
  const other = new Worker(writer, { eval: true, workerData: { file, times } })
  const gone = once(other, "exit")
  await once(other, "message")
  const orders = await Promise.all(Array.from({ length: times }, () => placed(backend)))
  await gone
  expect(new Set(orders.map(({ id }) => id)).size).toBe(times)
  expect(await backend.outbox.lease(`last ${times}`, "us", 0, 1_000_000)).toBe(false)
  await backend.close()
})

describe("while another process has the lock of the file", () => {
  type Notes = Kysely<{ notes: { text: string } }>
  let db: Notes
  let other: DatabaseSync
  beforeEach(async () => {
    db = new Kysely({ dialect: sqliteDialect(file) })
    await db.schema.createTable("notes").addColumn("text", "text").execute()
    other = new DatabaseSync(file, { timeout: 0 })
    other.exec("begin immediate")
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    other.close()
    await db.destroy()
  })

  const note = { text: "written later" }
  const statement = () => db.insertInto("notes").values(note).execute()
  const transaction = () => db.transaction().execute((tx) => tx.insertInto("notes").values(note).execute())

  test.each([
    ["statement", statement],
    ["transaction", transaction],
  ])("a %s waits for it, and everything else is answered meanwhile", async (_, write) => {
    const written = Promise.all([write(), write()])
    expect(await db.selectFrom("notes").selectAll().execute()).toEqual([])
    other.exec("commit")
    await written
    expect(seen()).toEqual([note, note])
  })

  test.each([
    ["statement", statement],
    ["transaction", transaction],
  ])("a %s gives up after five seconds, and has written nothing", async (_, write) => {
    const refused = expect(write()).rejects.toThrow("database is locked")
    // The answer to the read comes after the first try of the write, hence after its wait has begun.
    expect(await db.selectFrom("notes").selectAll().execute()).toEqual([])
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 5_000)
    await refused
    other.exec("commit")
    expect(seen()).toEqual([])
    await write()
    expect(seen()).toEqual([note])
  })
})

/** Holds a transaction open between reading and writing, like the admin CLI. */
const writer = `
  const { parentPort, workerData } = require("node:worker_threads")
  const { DatabaseSync } = require("node:sqlite")
  const database = new DatabaseSync(workerData.file, { timeout: 5000 })
  parentPort.postMessage("ready")
  for (let time = 1; time <= workerData.times; time++) {
    database.exec("begin immediate")
    database.prepare("select count(*) from orders").get()
    database.prepare("insert into leases (name, holder, until) values (?, 'other', 1000000)").run("last " + time)
    database.exec("commit")
  }
  database.close()
`

test("opening a file in a missing folder fails as unavailable", async () => {
  const opening = createEmbeddedBilling(join(folder, "none", "boxoffice.db"), catalogueFixture)
  await expect(opening).rejects.toMatchObject({ name: "BillingError", kind: "unavailable" })
})

test("a closed database is unhealthy and its calls fail as unavailable", async () => {
  const backend = await createEmbeddedBilling(file, catalogueFixture)
  expect(await backend.healthy()).toBe(true)
  await backend.close()
  expect(await backend.healthy()).toBe(false)
  await expect(backend.billing.order(unique())).rejects.toMatchObject({ kind: "unavailable" })
})

test("binding a value of an unsupported type throws a TypeError", async () => {
  const db = openDatabase({ url: file, timeoutMs: 1_000 })
  await expect(sql`select ${true}`.execute(db)).rejects.toThrow(TypeError)
  await db.destroy()
})
