import pg from "pg"
import { expect } from "playwright/test"
import { buyPersistently } from "../../fixtures/persistent-buyer"
import { loadSystemState } from "../../resilience/invariants/load-state"
import { violations } from "../../resilience/invariants/violations"
import { type Pooler, startPgBouncer } from "../../support/db/pgbouncer"
import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { startShop } from "../../support/server/server-process"
import { startMachines } from "../../support/server/shop-cluster"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep } from "../tags"

needsPackages("postgresql", "nginx-light", "pgbouncer")

const SECRET = "the-only-secret-of-32-characters-or-more"
const PURCHASES = 40
const BUYERS = 8

test("two instances migrate and sell through PgBouncer in transaction mode", deep, async () => {
  const poolers: Pooler[] = []
  const through = async (databaseUrl: string) => {
    const pooler = await startPgBouncer(databaseUrl)
    poolers.push(pooler)
    return pooler.url
  }
  // Both instances migrate the empty database at the same time.
  const machines = await startMachines(2, SECRET, { through })
  const numbers = Array.from({ length: PURCHASES }, (_, index) => index)
  const left = numbers.values()
  const lane = async () => {
    const bought = []
    for (const number of left) {
      bought.push(await buyPersistently({ shop: machines, email: `buyer${number}@example.test`, number }))
    }
    return bought
  }
  const bought = (await Promise.all(Array.from({ length: BUYERS }, lane))).flat()

  expect(bought.flatMap(({ failures }) => failures)).toEqual([])
  expect(await serverConnections(machines.databaseUrl)).toBeLessThanOrEqual(4)
  const meant = new Map(bought.map(({ email }) => [email, 1]))
  const state = { dataDir: machines.provider.dataDir, databaseUrl: machines.databaseUrl, meant }
  await expect.poll(async () => violations(await loadSystemState(state)), { timeout: 20_000 }).toEqual([])
  await machines.stop()
  for (const pooler of poolers) await pooler.stop()
})

test("a PgBouncer that rejects the timeouts is named when the shop starts", deep, async () => {
  const postgres = await startPostgres()
  const settings = { pool_mode: "transaction", ignore_startup_parameters: "extra_float_digits" }
  const databaseUrl = await freshDatabase(postgres.url)
  const pooler = await startPgBouncer(databaseUrl, settings)
  await expect(startShop({ env: { DATABASE_URL: pooler.url } })).rejects.toThrow(
    /unsupported startup parameter/,
  )
  await pooler.stop()
  await postgres.stop()
})

/** Connections to a database, but for the one that counts. */
async function serverConnections(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(
    "select count(*)::int as connections from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  )
  await client.end()
  return rows[0]?.connections
}
