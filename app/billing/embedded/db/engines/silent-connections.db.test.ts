import { type Kysely, sql } from "kysely"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { type FaultProxy, openFaultProxy } from "../../../../../tests/fakes/tcp-fault-proxy"
import { type Cluster, freshDatabase, promote, startPostgres } from "../../../../../tests/support/db/postgres"
import { openDatabase } from "../database.server"
import type { Tables } from "../schema/schema"
import { withBillingErrors } from "../transaction.server"

/** Milliseconds. A statement without an answer fails by this and a second at the latest. */
const TIMEOUT = 100_000
const CONNECTIONS = 10
/** Milliseconds: a second of silence, four to look for the server, and the rest for a busy machine. */
const SOON = 60_000
/** Milliseconds. Reads that wait for a connection, of which each may take four seconds to open, take longer. */
const AT_ONCE = 15_000
/** As many reads as wait for each connection five times. */
const READS = 5 * CONNECTIONS

let primary: Cluster
let standby: Cluster
let address: FaultProxy
let db: Kysely<Tables>

beforeAll(async () => {
  primary = await startPostgres()
  standby = await startPostgres({ standbyOf: primary })
})
afterAll(async () => {
  await primary.stop()
  await standby.stop()
})
beforeEach(async () => {
  address = await openFaultProxy(at(primary))
  db = await opened(primary.url)
})
afterEach(async () => {
  await db.destroy()
  await address.close()
})

test("a database that falls silent is reported soon, and is used again when it answers", async () => {
  address.silence()
  const started = performance.now()
  await expect(read()).rejects.toMatchObject({ kind: "unavailable" })
  expect(performance.now() - started).toBeLessThan(SOON)
  address.moveTo(at(primary))
  await expect.poll(() => read().catch(() => null), { timeout: SOON }).toBe(1)
})

test("while a database is known to be silent, reads are rejected without waiting", async () => {
  address.silence()
  await expect(read()).rejects.toMatchObject({ kind: "unavailable" })
  const started = performance.now()
  const reads = await Promise.allSettled(Array.from({ length: READS }, read))
  expect(reads.map(({ status }) => status)).toEqual(Array(READS).fill("rejected"))
  expect(performance.now() - started).toBeLessThan(AT_ONCE)
})

test("reads on connections to a silent primary are repeated on the standby that took its address", async () => {
  address.silence()
  await promote(standby)
  address.moveTo(at(standby))
  const started = performance.now()
  expect(await Promise.all(Array.from({ length: CONNECTIONS }, read))).toEqual(Array(CONNECTIONS).fill(1))
  expect(performance.now() - started).toBeLessThan(SOON)
})

test("a slow statement of a database that answers goes on", async () => {
  await expect(sql`select pg_sleep(5)`.execute(db)).resolves.toMatchObject({ rows: [expect.anything()] })
})

test("a slow statement goes on while the database opens no connection, and answers on others", async () => {
  address.silence("new")
  let isDone = false
  const slow = sql`select pg_sleep(8)`.execute(db).finally(() => {
    isDone = true
  })
  while (!isDone) expect(await read()).toBe(1)
  await expect(slow).resolves.toMatchObject({ rows: [expect.anything()] })
})

test("a slow statement goes on while the database rejects new connections", async () => {
  const closing = await opened(await freshDatabase(primary.url))
  const slow = sql`select pg_sleep(5)`.execute(closing)
  await sql`update pg_database set datallowconn = false where datname = current_database()`.execute(closing)
  await expect(slow).resolves.toMatchObject({ rows: [expect.anything()] })
  await closing.destroy()
})

test("a connection on which a statement got no answer in time is not used again", async () => {
  const brief = await opened(primary.url, 8_000)
  const one = () => sql`select 1`.execute(brief)
  address.silence()
  address.moveTo(at(primary))
  await Promise.allSettled(Array.from({ length: CONNECTIONS }, one))
  const later = await Promise.allSettled(Array.from({ length: CONNECTIONS }, one))
  expect(later.map(({ status }) => status)).toEqual(Array(CONNECTIONS).fill("fulfilled"))
  await brief.destroy()
})

/** Opens a database through the address, with all its connections. */
async function opened(databaseUrl: string, timeoutMs = TIMEOUT): Promise<Kysely<Tables>> {
  const url = Object.assign(new URL(databaseUrl), { port: String(address.port) }).href
  const database = openDatabase({ url, timeoutMs })
  await Promise.all(Array.from({ length: CONNECTIONS }, () => sql`select pg_sleep(0.1)`.execute(database)))
  return database
}

async function read(): Promise<number | undefined> {
  const { rows } = await withBillingErrors(sql<{ one: number }>`select 1 as one`.execute(db))
  return rows[0]?.one
}

function at({ url }: Cluster): { host: string; port: number } {
  const { hostname: host, port } = new URL(url)
  return { host, port: Number(port) }
}
