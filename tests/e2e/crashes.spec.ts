import { setTimeout as pause } from "node:timers/promises"
import { integer, noBias, sample } from "fast-check"
import { expect, test } from "playwright/test"
import { violations } from "../invariants/violations"
import { worldOfShop } from "../invariants/world-of-shop"
import { type Cluster, freshDatabase, startPostgres } from "../postgres"
import { type Shop, startShop } from "../server-process"
import { smallDisk } from "../small-disk"
import { buyWhateverHappens } from "../stubborn-buyer"

const SEED = 8
const BUYERS = 4
const moments = sample(noBias(integer({ min: 20, max: 600 })), { seed: SEED, numRuns: 4 })
/** What was being carried out when the power went is taken up again within 15 seconds. */
const SETTLES_WITHIN = 60_000

test("a busy shop on SQLite that is ended by force at any moment has sold everything once", async () => {
  test.setTimeout(180_000)
  const shop = await startShop()
  await busy(shop, async () => {
    await shop.kill9()
    await shop.restart()
  })
  await sold(shop, { what: "ended by force" })
  await shop.stop()
})

test("a busy shop whose disk is full again and again has sold everything once", async () => {
  test.setTimeout(180_000)
  const disk = smallDisk()
  test.skip(
    !disk,
    "A small disk can only be mounted by root: the same is tried by SQLite's own limit in tests/faults",
  )
  if (!disk) return
  const shop = await startShop({ dataDir: disk.folder })
  await busy(shop, async () => {
    disk.fill()
    await pause(500)
    disk.free()
  })
  await sold(shop, { what: "disk full" })
  await shop.stop()
  disk.remove()
})

test.describe("on PostgreSQL", () => {
  let cluster: Cluster
  test.beforeAll(async () => {
    cluster = await startPostgres()
  })
  test.afterAll(() => cluster.stop())

  test("a busy shop whose database is ended in mid-transaction has sold everything once", async () => {
    test.setTimeout(180_000)
    const databaseUrl = await freshDatabase(cluster.url)
    const shop = await startShop({ env: { DATABASE_URL: databaseUrl, NEIGHBOUR_TIMEOUT_MS: "2000" } })
    await busy(shop, () => cluster.crash())
    await sold(shop, { what: "database ended", databaseUrl })
    await shop.stop()
  })
})

const buyers = Array.from({ length: BUYERS }, (_, at) => `buyer${at}@example.test`)

/** Buyers who never give up, while something breaks again and again. */
async function busy(shop: Shop, broken: () => Promise<void>): Promise<void> {
  const bought = Promise.all(buyers.map((email) => buyWhateverHappens(shop, { email, patience: 120_000 })))
  for (const moment of moments) {
    await pause(moment)
    await broken()
  }
  await bought
}

/** Each has what he has paid for, once, when all work is done. */
async function sold(
  shop: Shop,
  { what, databaseUrl }: { what: string; databaseUrl?: string },
): Promise<void> {
  const meant = new Map(buyers.map((email) => [email, 1]))
  const look = () => worldOfShop({ dataDir: shop.dataDir, meant, ...(databaseUrl && { databaseUrl }) })
  await expect.poll(async () => violations(await look()), { timeout: SETTLES_WITHIN }).toEqual([])
  const { books } = await look()
  const held = books.services.filter(({ status }) => status === "Active").length
  expect(held).toBe(BUYERS)
  process.stdout.write(
    `${what}: crashes survived: ${moments.length}, purchases held: ${held}, violations: 0\n`,
  )
}
