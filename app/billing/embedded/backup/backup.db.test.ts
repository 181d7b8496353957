import { afterEach, describe, expect, test } from "vitest"
import { catalogueFixture, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { createEmbeddedBilling } from "../../../../tests/contracts/billing/embedded-billing"
import {
  asFile,
  type Engine,
  engines,
  fill,
  linesOf,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { NOON } from "../../../../tests/fixtures/test-shop"
import { backUp } from "./backup.server"
import { tables, transientTables } from "./backup-tables"
import { restore } from "./restore.server"

const opened: TemporaryDatabase[] = []
const open = async (engine: Engine) => {
  const backend = await openTemporaryDatabase(engine)
  opened.push(backend)
  return backend
}
afterEach(async () => {
  for (const backend of opened.splice(0)) await backend.close()
})

const ways = engines.flatMap((from) => engines.map((to) => [from, to] as const))

test.each(ways)("a backup from %s restores every row except leases on %s", async (from, to) => {
  const [source, target] = [await open(from), await open(to)]
  await fill(source)
  const clicks = Array.from({ length: 1_203 }, (_, at) => ({
    affiliate_id: String(at % 7),
    visitor: `visitor ${at}`,
    day: "2026-06-15",
    referer: null,
    at,
  }))
  await source.db.insertInto("affiliate_clicks").values(clicks).execute()
  const lines = await linesOf(source)
  const { rows } = await restore(target, asFile(lines), { replace: false })
  expect(rows).toMatchObject({ affiliate_clicks: 1_204, orders: 1, payments: 1, credit_balances: 2 })
  const restored = await linesOf(target)
  expect(restored.toSorted()).toEqual(expect.arrayContaining(lines.slice(0, -1)))
  expect(restored).toHaveLength(lines.length)
  expect(await target.db.selectFrom("leases").selectAll().execute()).toEqual([])
})

test("a NUL character survives a backup between SQLite files and is rejected by restore on PostgreSQL", async () => {
  const [source, target, server] = [await open("SQLite"), await open("SQLite"), await open("PostgreSQL")]
  await fill(source)
  await source.db.updateTable("services").set({ notes: "living\0room" }).execute()
  const [lines, untouched] = [await linesOf(source), await linesOf(server)]
  await restore(target, asFile(lines), { replace: false })
  expect(await linesOf(target)).toEqual(lines)
  await expect(restore(server, asFile(lines), { replace: false })).rejects.toThrow(
    'Cannot restore into PostgreSQL: a row of "services" has a NUL character in "notes".',
  )
  expect(await linesOf(server)).toEqual(untouched)
})

test("a line separator in a text ends no line of the backup, and is there again after a restore", async () => {
  const [source, target] = [await open("SQLite"), await open("SQLite")]
  await fill(source)
  const notes = "living\u2028room\u2029upstairs"
  await source.db.updateTable("services").set({ notes }).execute()
  const lines = await linesOf(source)
  expect(lines.filter((line) => /[\u2028\u2029]/.test(line))).toEqual([])
  await restore(target, asFile(lines), { replace: false })
  expect(await target.db.selectFrom("services").select("notes").execute()).toEqual([{ notes }])
})

describe.each(engines)("on %s", (engine) => {
  test("every table of the schema is listed for backups or as transient", async () => {
    const { db } = await open(engine)
    const target = (await db.introspection.getTables()).map(({ name }) => name)
    expect([...tables.map(({ name }) => name), ...transientTables].sort()).toEqual(target.sort())
  })

  test("an order placed during a backup is not delayed and not in the backup", async () => {
    const backend = await open(engine)
    const shop = await createEmbeddedBilling(backend.url, catalogueFixture)
    const before = await placed(shop)
    const lines: string[] = []
    let during = ""
    await backUp(backend, NOON, async (written) => {
      for await (const line of written) {
        lines.push(line)
        if (lines.length === 2) during = (await placed(shop)).id
      }
    })
    await shop.close()
    expect(lines.join("")).toContain(before.id)
    expect(during).not.toBe("")
    expect(lines.join("")).not.toContain(during)
  })

  test("a running instance continues with the restored database", async () => {
    const [backend, target] = [await open(engine), await open(engine)]
    const [shop, running] = [
      await createEmbeddedBilling(backend.url, catalogueFixture),
      await createEmbeddedBilling(target.url, catalogueFixture),
    ]
    const order = await placed(shop)
    const lost = await placed(running)
    await restore(target, asFile(await linesOf(backend)), { replace: true })
    expect(await running.billing.order(order.id)).toEqual(order)
    expect(await running.billing.order(lost.id)).toBeNull()
    expect((await placed(running)).status).toBe("placed")
    await shop.close()
    await running.close()
  })
})
