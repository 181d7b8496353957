import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "playwright/test"
import { buyWithRetries } from "../../fixtures/retrying-buyer"
import { loadSystemState } from "../../resilience/invariants/load-state"
import { violations } from "../../resilience/invariants/violations"
import { type Cluster, freshDatabase, startPostgres } from "../../support/db/postgres"
import type { TestServer } from "../../support/server/server-process"
import { startTwoInstances } from "../../support/server/two-instances"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep } from "../tags"

const BUYERS = 200
const AT_ONCE = 20
/** An instance is killed whenever so many more have bought. */
const KILLED_EVERY = 30
const MAX_WAIT = 240_000

const folder = mkdtempSync(join(tmpdir(), "boxoffice-numbers-"))
const file = join(folder, "shop.json")
const registrations = [{ country: "DE", number: "DE123456789" }]
const tax = {
  country: "DE",
  confirmedOn: "2026-11-01",
  registrations,
  oneStopShop: true,
  rates: [],
  prices: {},
}
writeFileSync(file, JSON.stringify({ links: {}, apps: [], tax }))

test.describe("on PostgreSQL", () => {
  needsPackages("postgresql")
  let cluster: Cluster
  test.beforeAll(async () => {
    cluster = await startPostgres()
  })
  test.afterAll(async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true })
  })

  test(
    "200 buyers on two instances that are killed in turn have an invoice each, numbered without gaps",
    deep,
    async () => {
      test.setTimeout(600_000)
      const databaseUrl = await freshDatabase(cluster.url)
      const env = {
        SHOP_FILE: file,
        UPSTREAM_TIMEOUT_MS: "2000",
        COUNTRY_SOURCE: "header",
        COUNTRY_HEADER: "x-country",
      }
      const two = await startTwoInstances(databaseUrl, env)
      const killed: Promise<void>[] = []
      let bought = 0

      async function buyAll(
        shop: { url: string; sandboxUrl: string },
        buyers: Iterator<number>,
      ): Promise<void> {
        for (let next = buyers.next(); !next.done; next = buyers.next()) {
          const headers = {
            "x-forwarded-for": `10.0.${next.value >> 8}.${next.value & 255}`,
            "x-country": "DE",
          }
          await buyWithRetries(shop, { email: `buyer${next.value}@example.test`, headers, maxWait: MAX_WAIT })
          bought += 1
          if (bought % KILLED_EVERY === 0) killed.push(killOne(two.instances, killed))
        }
      }

      const buyers = Array.from({ length: BUYERS }, (_, nth) => nth).values()
      const shop = { url: two.balancer.url, sandboxUrl: two.provider.sandboxUrl }
      await Promise.all(Array.from({ length: AT_ONCE }, () => buyAll(shop, buyers)))
      await Promise.all(killed)

      const look = () =>
        loadSystemState({ dataDir: two.instances[0].dataDir, databaseUrl, sandboxDir: two.provider.dataDir })
      await expect.poll(async () => violations(await look()), { timeout: 90_000 }).toEqual([])
      const { database } = await look()
      const invoices = database.tax_documents.map(({ kind, sequence }) => [kind, sequence])
      expect(invoices.toSorted(([, one], [, other]) => Number(one) - Number(other))).toEqual(
        Array.from({ length: BUYERS }, (_, at) => ["invoice", at + 1]),
      )
      expect(killed.length).toBeGreaterThanOrEqual(6)
      await two.stop()
    },
  )
})

/** Kills the instances in turn, one after the other is back. */
async function killOne(
  instances: readonly [TestServer, TestServer],
  before: readonly Promise<void>[],
): Promise<void> {
  const instance = before.length % 2 === 0 ? instances[0] : instances[1]
  await Promise.all(before)
  await instance.kill9()
  await instance.restart()
}
