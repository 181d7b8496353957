import { type Kysely, sql } from "kysely"
import { afterAll, beforeAll, expect, inject, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { openEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { catalogueFixture, unique } from "../../../../../tests/contracts/billing/billing-fixtures"
import { createEmbeddedBilling } from "../../../../../tests/contracts/billing/embedded-billing"
import { freshDatabase } from "../../../../../tests/support/db/postgres"
import { openDatabase } from "../database.server"
import type { Tables } from "../schema/schema"
import { inTransaction, withBillingErrors } from "../transaction.server"

const unavailable = { name: "BillingError", kind: "unavailable", cause: expect.any(Error) }
let url: string
let db: Kysely<Tables>

beforeAll(async () => {
  url = await freshDatabase(inject("postgres"))
  await (await createEmbeddedBilling(url, catalogueFixture)).close()
  db = openDatabase({ url, timeoutMs: 10_000 })
})
afterAll(() => db.destroy())

test("openEmbeddedBilling fails as unavailable if the server cannot be reached", async () => {
  const settings = { databaseUrl: "postgres://nobody@127.0.0.1:1/none", timeoutMs: 1_000, newId: unique }
  const opening = openEmbeddedBilling({
    ...settings,
    catalogue: async () => ({ products: [], promotions: [] }),
  })
  await expect(opening).rejects.toMatchObject(unavailable)
})

test("a query that exceeds timeoutMs fails as unavailable", async () => {
  const hasty = openDatabase({ url, timeoutMs: 100 })
  await expect(withBillingErrors(sql`select pg_sleep(30)`.execute(hasty))).rejects.toMatchObject(unavailable)
  await hasty.destroy()
})

test("a query that waits for a connection of an exhausted pool times out", async () => {
  const hasty = openDatabase({ url, timeoutMs: 300 })
  const call = Array.from({ length: 11 }, () => withBillingErrors(sql`select pg_sleep(30)`.execute(hasty)))
  const results = await Promise.allSettled(call)
  expect(results.map(({ status }) => status)).toEqual(Array(11).fill("rejected"))
  await hasty.destroy()
})

test("a terminated connection fails its transaction and no other query", async () => {
  const cut = withBillingErrors(
    db.transaction().execute(async (tx) => {
      const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${own.rows[0]?.pid ?? 0})`.execute(db)
      await sql`select 1`.execute(tx)
    }),
  )
  await expect(cut).rejects.toMatchObject(unavailable)
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
})

test("two deadlocked transactions both succeed after a retry", async () => {
  const ctx = { db, newId: unique }
  await db
    .insertInto("leases")
    .values([row("a"), row("b")])
    .execute()
  const both = twoSteps()
  const lockBoth = (first: string, second: string) =>
    inTransaction(ctx, async (tx) => {
      await tx.db.updateTable("leases").set({ until: 1 }).where("name", "=", first).execute()
      await both()
      await tx.db.updateTable("leases").set({ holder: second }).where("name", "=", second).execute()
    })
  await Promise.all([lockBoth("a", "b"), lockBoth("b", "a")])
  const rows = await db.selectFrom("leases").selectAll().orderBy("name").execute()
  expect(rows).toEqual([row("a", "a", 1), row("b", "b", 1)])
})

test("instances that start concurrently on an empty database migrate and seed it once", async () => {
  const empty = await freshDatabase(inject("postgres"))
  const instances = await Promise.all([1, 2, 3, 4].map(() => createEmbeddedBilling(empty, catalogueFixture)))
  for (const { billing } of instances) expect(await billing.plans()).toHaveLength(2)
  await Promise.all(instances.map((it) => it.close()))
})

test("withBillingErrors rethrows errors of other origin unchanged", async () => {
  const mistake = new TypeError("programming error")
  await expect(withBillingErrors(Promise.reject(mistake))).rejects.toBe(mistake)
  const rejection = new BillingError("refused", "no")
  await expect(withBillingErrors(Promise.reject(rejection))).rejects.toBe(rejection)
})

function row(name: string, holder = "nobody", until = 0) {
  return { name, holder, until }
}

/** Barrier: the first caller waits for the second; later callers pass. */
function twoSteps(): () => Promise<void> {
  let come = 0
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    come += 1
    if (come === 2) open()
    return gate
  }
}
