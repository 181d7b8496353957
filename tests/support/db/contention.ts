import { type Kysely, sql } from "kysely"
import { vi } from "vitest"
import type { Tables } from "~/billing/embedded/db/schema/schema"
import type { DbContext } from "~/billing/embedded/db/transaction.server"

/*
 * Two instances contend for one row of PostgreSQL. Under READ COMMITTED a statement waits for the row lock and then
 * evaluates its condition again on the new row; values read earlier stay stale. The lock is held until the other
 * instance waits for it, so that the conflict always occurs.
 */

/**
 * Results of `first`, in a transaction of `ctx` that stays open until `second` waits for a lock (or ends, if it needs none), and of
 * `second`, which uses another connection.
 */
export async function whileOpen<First, Second>(
  ctx: DbContext,
  first: (tx: DbContext) => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, PromiseSettledResult<Second> | undefined]> {
  const { given, other } = await ctx.db.transaction().execute(async (db) => {
    const given = await first({ ...ctx, db })
    const other = Promise.allSettled([second()])
    await Promise.race([other, waitForLocks(ctx.db, 1)])
    return { given, other }
  })
  return [given, (await other)[0]]
}

/**
 * Results of `works`, which all read before any of them may write: the rows of `table` stay locked until each work
 * waits. They get the lock in the order of `works`.
 */
export async function afterAllHaveRead<Result>(
  db: Kysely<Tables>,
  table: keyof Tables,
  works: readonly (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  const { results } = await db.transaction().execute(async (tx) => {
    await tx.selectFrom(table).selectAll().forNoKeyUpdate().execute()
    const results: Promise<PromiseSettledResult<Result>[]>[] = []
    for (const work of works) {
      results.push(Promise.allSettled([work()]))
      await waitForLocks(db, results.length)
    }
    return { results }
  })
  return (await Promise.all(results)).flat()
}

/** Waits until `count` connections to this database wait for a lock. */
export async function waitForLocks(db: Kysely<Tables>, count: number): Promise<void> {
  await vi.waitUntil(
    async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows[0]?.waiting === count
    },
    { timeout: 15_000, interval: 10 },
  )
}
