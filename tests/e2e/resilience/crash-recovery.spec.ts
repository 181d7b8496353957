import { setTimeout as pause } from "node:timers/promises"
import { integer, noBias, sample } from "fast-check"
import { expect } from "playwright/test"
import { type Outage, type Survived, surviveCrashes } from "../../resilience/soak/crash-under-load"
import { type Cluster, freshDatabase, startPostgres } from "../../support/db/postgres"
import { startShop } from "../../support/server/server-process"
import { smallDisk } from "../../support/server/small-filesystem"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep } from "../tags"

const SEED = 8
const moments = sample(noBias(integer({ min: 20, max: 600 })), { seed: SEED, numRuns: 4 })

test.beforeEach(() => test.setTimeout(400_000))

test(
  "a loaded shop on SQLite completes every purchase once despite kill -9 at random moments",
  deep,
  async () => {
    const shop = await startShop()
    const broken = (outage: Outage) =>
      outage(async () => {
        await shop.kill9()
        await shop.restart()
      })
    expectSold("killed with SIGKILL", await surviveCrashes(shop, { broken, moments }))
    await shop.stop()
  },
)

test("a loaded shop completes every purchase once despite repeatedly full disks", deep, async () => {
  const disk = smallDisk()
  test.skip(
    !disk,
    "Only root may mount a small disk; tests/resilience/faults tests the same with SQLite's size limit",
  )
  if (!disk) return
  const shop = await startShop({ dataDir: disk.folder })
  const broken = async () => {
    disk.fill()
    await pause(500)
    disk.free()
  }
  expectSold("disk full", await surviveCrashes(shop, { broken, moments }))
  await shop.stop()
  disk.remove()
})

test.describe("on PostgreSQL", () => {
  needsPackages("postgresql")
  let cluster: Cluster
  test.beforeAll(async () => {
    cluster = await startPostgres()
  })
  test.afterAll(() => cluster.stop())

  test(
    "a loaded shop completes every purchase once despite crashes of PostgreSQL in mid-transaction",
    deep,
    async () => {
      const databaseUrl = await freshDatabase(cluster.url)
      const shop = await startShop({ env: { DATABASE_URL: databaseUrl, UPSTREAM_TIMEOUT_MS: "2000" } })
      const survived = await surviveCrashes({ ...shop, databaseUrl }, { broken: cluster.crash, moments })
      expectSold("database ended", survived)
      await shop.stop()
    },
  )
})

function expectSold(what: string, { crashes, held, buyers, violations }: Survived): void {
  const figures = `crashes survived: ${crashes}, purchases held: ${held}, violations: ${violations.length}`
  process.stdout.write(`${what}: ${figures}\n`)
  expect(violations).toEqual([])
  expect([crashes, held]).toEqual([moments.length, buyers])
}
