import { Kysely, PostgresDialect, sql } from "kysely"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { unique } from "../../../../../tests/contracts/billing/billing-fixtures"
import { type Cluster, freshDatabase, startPostgres } from "../../../../../tests/support/db/postgres"
import { migrate } from "../migrate.server"
import type { Tables } from "../schema/schema"
import { inTransaction, withBillingErrors } from "../transaction.server"
import { openPool } from "./postgresql.server"
import { resilientPool } from "./resilient-pool.server"

let cluster: Cluster
let db: Kysely<Tables>

/** Milliseconds. Above the time that a server takes to restart on a busy machine; production waits three seconds. */
const PATIENCE = 60_000

beforeAll(async () => {
  cluster = await startPostgres()
  const pool = await openPool({ url: await freshDatabase(cluster.url), timeoutMs: PATIENCE })
  db = new Kysely({ dialect: new PostgresDialect({ pool: resilientPool(pool, PATIENCE) }) })
  await migrate(db)
})
afterAll(async () => {
  await db.destroy()
  await cluster.stop()
})

const lease = (name: string) => ({ name, holder: "nobody", until: 0 })
const names = async () => (await db.selectFrom("leases").select("name").execute()).map(({ name }) => name)

test("a query running during a server restart is repeated on the restarted server", async () => {
  let rows: readonly unknown[] = []
  const holder = db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(1)`.execute(tx)
    const call = sql`select 1 as one from pg_advisory_xact_lock(1)`.execute(db)
    await waitsForLock()
    await cluster.restart()
    rows = (await call).rows
  })
  // The restart ends the transaction that held the lock.
  await expect(holder).rejects.toThrow()
  expect(rows).toEqual([{ one: 1 }])
})

test("queries sent while the server restarts wait for it", async () => {
  const back = cluster.restart()
  const responses = await Promise.all([1, 2, 3].map(() => names()))
  await back
  expect(responses).toEqual([[], [], []])
})

test("a transaction cut by a restart is retried from the start and takes effect once", async () => {
  let times = 0
  const work = inTransaction({ db, newId: unique }, async (tx) => {
    times += 1
    await tx.db.insertInto("leases").values(lease("cut")).execute()
    if (times === 1) await cluster.restart()
    await tx.db.insertInto("leases").values(lease("whole")).execute()
  })
  await work
  expect(times).toBe(2)
  expect((await names()).sort()).toEqual(["cut", "whole"])
})

test("a write statement takes effect once across server restarts", async () => {
  await db.updateTable("leases").set({ until: 0 }).execute()
  const restarts = cluster.restart().then(() => cluster.restart())
  for (let number = 0; number < 20; number++) {
    await db
      .updateTable("leases")
      .set((row) => ({ until: row("until", "+", 1) }))
      .where("name", "=", "cut")
      .execute()
  }
  await restarts
  const { until } = await db
    .selectFrom("leases")
    .select("until")
    .where("name", "=", "cut")
    .executeTakeFirstOrThrow()
  expect(until).toBe(20)
})

test("after a cut transaction its later statements fail, even if the caller ignores the errors", async () => {
  const heedless = db.transaction().execute(async (tx) => {
    await tx.insertInto("leases").values(lease("heedless")).execute()
    await cluster.restart()
    await tx
      .insertInto("leases")
      .values(lease("lost"))
      .execute()
      .catch(() => {})
    await tx
      .insertInto("leases")
      .values(lease("astray"))
      .execute()
      .catch(() => {})
  })
  await expect(heedless).rejects.toThrow()
  expect(await names()).not.toEqual(expect.arrayContaining([expect.stringMatching(/heedless|lost|astray/)]))
})

test("more concurrent queries than connections all survive a restart", async () => {
  const call = Promise.all(Array.from({ length: 40 }, () => sql`select 1 from pg_sleep(0.1)`.execute(db)))
  await cluster.restart()
  await expect(call).resolves.toHaveLength(40)
})

test("only the first query waits for a server that stays unreachable", async () => {
  const pool = await openPool({ url: "postgres://nobody@127.0.0.1:1/none", timeoutMs: 500 })
  const connect = vi.spyOn(pool, "connect")
  const lonely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: resilientPool(pool, 500) }) })
  const unanswered = () =>
    expect(withBillingErrors(sql`select 1`.execute(lonely))).rejects.toMatchObject({ kind: "unavailable" })
  const began = performance.now()
  await unanswered()
  expect(performance.now() - began).toBeGreaterThan(450)
  connect.mockClear()
  await unanswered()
  expect(connect).toHaveBeenCalledTimes(1)
  await lonely.destroy()
})

test.each(["ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])(
  "connecting is retried while the server's host cannot be found (%s)",
  async (code) => {
    const pool = await openPool({ url: cluster.url, timeoutMs: 10_000 })
    const connect = vi.spyOn(pool, "connect")
    connect.mockImplementationOnce(() => Promise.reject(Object.assign(new Error("Host not found"), { code })))
    const client = await resilientPool(pool, 10_000).connect()
    expect(await client.query("select 1 as one", [])).toMatchObject({ rows: [{ one: 1 }] })
    expect(connect).toHaveBeenCalledTimes(2)
    client.release()
    await pool.end()
  },
)

/** Waits until a query of the server waits for a lock that another connection holds. */
async function waitsForLock(): Promise<void> {
  const waiting = sql<{
    n: string
  }>`select count(*) as n from pg_locks where locktype = 'advisory' and not granted`
  await expect.poll(async () => Number((await waiting.execute(db)).rows[0]?.n), { timeout: 30_000 }).toBe(1)
}
