import { sql } from "kysely"
import { expect, test } from "vitest"
import {
  followSynchronously,
  freshDatabase,
  promote,
  startPostgres,
} from "../../../../../tests/support/db/postgres"
import { openDatabase } from "../database.server"
import { withBillingErrors } from "../transaction.server"

const TIMEOUT = 1_000

test("what a synchronous standby has not confirmed is reported as failed, and what it has confirmed outlives the primary", async () => {
  const primary = await startPostgres()
  const standby = await startPostgres({ standbyOf: primary })
  const url = await freshDatabase(primary.url)
  await followSynchronously(primary)
  const db = openDatabase({ url, timeoutMs: TIMEOUT })
  await sql`create table kept (number int)`.execute(db)
  await sql`insert into kept values (1)`.execute(db)

  await primary.lose()
  await promote(standby)
  const { port } = new URL(standby.url)
  const after = openDatabase({ url: Object.assign(new URL(url), { port }).href, timeoutMs: 10_000 })
  const { rows } = await sql<{ number: number }>`select number from kept`.execute(after)
  expect(rows.map(({ number }) => number)).toEqual([1])

  await sql`alter system set synchronous_standby_names = '*'`.execute(after)
  await sql`select pg_reload_conf()`.execute(after)
  const hasty = openDatabase({ url: Object.assign(new URL(url), { port }).href, timeoutMs: TIMEOUT })
  const answer = () =>
    withBillingErrors(sql`insert into kept values (2)`.execute(hasty)).then(
      () => "confirmed",
      ({ kind }) => kind,
    )
  // The server commits without waiting until its checkpointer has read the setting, after the other processes.
  await expect.poll(answer, { timeout: 30_000 }).toBe("unavailable")
  await Promise.all([db, after, hasty].map((it) => it.destroy()))
  await standby.stop()
  await primary.stop()
}, 60_000)
