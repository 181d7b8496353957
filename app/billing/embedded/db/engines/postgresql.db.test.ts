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

test("books whose server is not there do not open, and say that they do not answer", async () => {
  const settings = { databaseUrl: "postgres://nobody@127.0.0.1:1/none", timeoutMs: 1_000, newId: unique }
  const opening = openEmbeddedBilling({
    ...settings,
    catalogue: async () => ({ products: [], promotions: [] }),
  })
  await expect(opening).rejects.toMatchObject(unavailable)
})

test("a server that thinks for too long is left", async () => {
  const hasty = openDatabase({ url, timeoutMs: 100 })
  await expect(withBillingErrors(sql`select pg_sleep(30)`.execute(hasty))).rejects.toMatchObject(unavailable)
  await hasty.destroy()
})

test("a pool that is used up keeps nobody waiting for ever", async () => {
  const hasty = openDatabase({ url, timeoutMs: 300 })
  const call = Array.from({ length: 11 }, () => withBillingErrors(sql`select pg_sleep(30)`.execute(hasty)))
  const answers = await Promise.allSettled(call)
  expect(answers.map(({ status }) => status)).toEqual(Array(11).fill("rejected"))
  await hasty.destroy()
})

test("a connection that is cut in a transaction fails that transaction and nothing else", async () => {
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

test("two transactions that block each other both go through", async () => {
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

test("instances that start at once on an empty database migrate and stock it once", async () => {
  const empty = await freshDatabase(inject("postgres"))
  const instances = await Promise.all([1, 2, 3, 4].map(() => createEmbeddedBilling(empty, catalogueFixture)))
  for (const { billing } of instances) expect(await billing.plans()).toHaveLength(2)
  await Promise.all(instances.map((it) => it.close()))
})

test("what is no failure of the database stays what it is", async () => {
  const mistake = new TypeError("a mistake of ours")
  await expect(withBillingErrors(Promise.reject(mistake))).rejects.toBe(mistake)
  const rejection = new BillingError("refused", "no")
  await expect(withBillingErrors(Promise.reject(rejection))).rejects.toBe(rejection)
})

function row(name: string, holder = "nobody", until = 0) {
  return { name, holder, until }
}

/** Lets nobody past until two have come; later ones pass. */
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
