import { afterEach, expect, test } from "vitest"
import { catalogueFixture, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { createEmbeddedBilling } from "../../../../tests/contracts/billing/embedded-billing"
import { openDatabase } from "./database.server"
import { precompiledQuery, precompiledQueryBy } from "./precompiled-query.server"

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const it of open.splice(0)) await it.close()
})

test("the precompiled order query returns the order of each call's id, and null for an unknown id", async () => {
  const backend = await createEmbeddedBilling(":memory:", catalogueFixture)
  open.push(backend)
  const [first, second] = [await placed(backend), await placed(backend)]
  for (const { id } of [first, second, first]) expect(await backend.billing.order(id)).toMatchObject({ id })
  expect(await backend.billing.order("NOSUCHORDER")).toBeNull()
})

test("a query is compiled once per database and runs on the database or transaction of the call", async () => {
  let built = 0
  const namesLike = precompiledQuery(({ db }, name) => {
    built++
    return db.selectFrom("clients").select("id").where("id", "=", name).where("email", "!=", name).limit(1)
  })
  const db = openDatabase({ url: ":memory:", timeoutMs: 1_000 })
  const another = openDatabase({ url: ":memory:", timeoutMs: 1_000 })
  open.push({ close: () => db.destroy() }, { close: () => another.destroy() })
  await db.schema.createTable("clients").addColumn("id", "text").addColumn("email", "text").execute()
  await another.schema.createTable("clients").addColumn("id", "text").addColumn("email", "text").execute()
  await db.executeQuery(db.insertInto("clients").values(row("a")).compile())
  expect(await namesLike({ db }, "a")).toEqual([{ id: "a" }])
  expect(await namesLike({ db }, "b")).toEqual([])
  expect(await db.transaction().execute((tx) => namesLike({ db: tx }, "a"))).toEqual([{ id: "a" }])
  expect(built).toBe(1)
  expect(await namesLike({ db: another }, "a")).toEqual([])
})

test("a query by several values gets those of each call", async () => {
  const between = precompiledQueryBy<{ from: number; to: number; not: string }, { id: string }>(
    { from: "integer", to: "integer", not: "text" },
    ({ db }, { from, to, not }) =>
      db
        .selectFrom("clients")
        .select("id")
        .where("created_at", ">=", from)
        .where("created_at", "<", to)
        .where("id", "!=", not)
        .orderBy("id"),
  )
  const db = openDatabase({ url: ":memory:", timeoutMs: 1_000 })
  open.push({ close: () => db.destroy() })
  await db.schema.createTable("clients").addColumn("id", "text").addColumn("created_at", "integer").execute()
  const rows = ["a", "b", "c"].map((id, at) => ({ id, created_at: at }) as never)
  await db.executeQuery(db.insertInto("clients").values(rows).compile())
  expect(await between({ db }, { from: 0, to: 2, not: "b" })).toEqual([{ id: "a" }])
  expect(await between({ db }, { from: 1, to: 3, not: "" })).toEqual([{ id: "b" }, { id: "c" }])
})

function row(id: string) {
  return { id, email: `${id}@example.test` } as never
}
