import { type Kysely, sql } from "kysely"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { unique } from "../../../../../tests/contracts/billing/billing-fixtures"
import { type Cluster, freshDatabase, startPostgres } from "../../../../../tests/support/db/postgres"
import { openDatabase } from "../database.server"
import { migrate } from "../migrate.server"
import type { Tables } from "../schema/schema"
import { inTransaction } from "../transaction.server"

let cluster: Cluster
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(() => cluster.stop())

describe("statements on a connection to PostgreSQL", () => {
  let db: Kysely<Tables>
  beforeEach(async () => {
    db = openDatabase({ url: await freshDatabase(cluster.url), timeoutMs: 10_000 })
    await migrate(db)
    await db.insertInto("leases").values({ name: "a", holder: "nobody", until: 0 }).execute()
  })
  afterEach(() => db.destroy())

  const leases = (on: Kysely<Tables> = db) => on.selectFrom("leases").selectAll().execute()
  const extend = (on: Kysely<Tables> = db) =>
    on.updateTable("leases").set({ until: 1 }).returningAll().execute()

  async function often(act: () => Promise<unknown>) {
    for (let times = 0; times < 8; times++) await act()
  }

  /** Statements on this table that the connection has prepared. One caller at a time uses one connection of the pool. */
  async function prepared(): Promise<number> {
    const { rows } = await sql<{ number: number }>`
      select count(*)::integer as number from pg_prepared_statements where statement like '%"leases"%'`.execute(
      db,
    )
    return rows[0]?.number ?? 0
  }

  test("are prepared once they are sent often", async () => {
    await leases()
    expect(await prepared()).toBe(0)
    await often(leases)
    expect(await prepared()).toBe(1)
  })

  test("are prepared anew after a migration has added a column, and answer with it", async () => {
    await often(leases)
    await sql`alter table leases add column note text default 'new'`.execute(db)
    expect(await leases()).toEqual([expect.objectContaining({ name: "a", note: "new" })])
    expect(await leases()).toEqual([expect.objectContaining({ name: "a", note: "new" })])
  })

  test("that a migration has changed repeat their transaction, which takes effect once", async () => {
    await often(() => extend())
    await sql`alter table leases add column note text default 'new'`.execute(db)
    let tries = 0
    const rows = await inTransaction({ db, newId: unique }, async (tx) => {
      tries += 1
      await tx.db
        .insertInto("leases")
        .values({ name: `b${tries}`, holder: "nobody", until: 0 })
        .execute()
      return extend(tx.db)
    })
    expect(rows).toContainEqual(expect.objectContaining({ note: "new" }))
    expect((await leases()).map(({ name }) => name).sort()).toEqual(["a", "b2"])
  })

  test("are sent without preparation behind a pooler that changes the server's connection", async () => {
    await often(leases)
    // The pooler has taken another connection, which has none of them.
    await sql`deallocate all`.execute(db)
    expect(await leases()).toHaveLength(1)
    await often(leases)
    expect(await prepared()).toBe(0)
  })

  test("repeat a transaction whose connection the pooler has changed", async () => {
    await often(() => extend())
    await sql`deallocate all`.execute(db)
    const rows = await inTransaction({ db, newId: unique }, (tx) => extend(tx.db))
    expect(rows).toHaveLength(1)
  })

  test("that PostgreSQL does not support fail, and are not repeated without end", async () => {
    const unsupported = () => sql`select count(*) from leases for update`.execute(db)
    await expect(unsupported()).rejects.toMatchObject({ code: "0A000" })
  })
})
