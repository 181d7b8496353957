import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { buyWithRetries } from "../../fixtures/retrying-buyer"
import { Browser } from "../../support/browser/no-script-browser"
import { type Cluster, freshDatabase, startPostgres } from "../../support/db/postgres"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop, type TestServer } from "../../support/server/server-process"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep } from "../tags"

needsPackages("postgresql")

const BUYERS = 6
const RESTORES = 12

let cluster: Cluster
test.beforeAll(async () => {
  cluster = await startPostgres()
})
test.afterAll(() => cluster.stop())

for (const engine of ["SQLite", "PostgreSQL"] as const) {
  test(
    `a request during restore --replace gets 503 with Retry-After at worst, never 500, on ${engine}`,
    deep,
    async () => {
      test.setTimeout(400_000)
      const folder = mkdtempSync(join(tmpdir(), "boxoffice-"))
      const shared = engine === "PostgreSQL" && { DATABASE_URL: await freshDatabase(cluster.url) }
      const admin = (...args: string[]) =>
        runServerCommand(["admin", ...args], { DATA_DIR: folder, ...shared })
      const file = join(folder, "backup.jsonl")
      const shop = await startShop({ dataDir: folder, env: { TRUSTED_PROXIES: "127.0.0.1", ...shared } })
      await waitForAccess(await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop }))))
      await admin("backup", "create", file)

      const load = keepBuying(shop)
      for (let nth = 0; nth < RESTORES; nth++)
        expect(await admin("backup", "restore", file, "--replace")).toMatchObject({
          exitCode: 0,
          errorOutput: "",
        })
      await load.stop()

      const completed = shop.logLines().filter(({ msg }) => msg === "request completed")
      const failed = completed.filter(({ status }) => Number(status) >= 500)
      process.stdout.write(`${engine}: requests: ${completed.length}, 503: ${failed.length}\n`)
      expect(failed.filter(({ status }) => status !== 503)).toEqual([])
      await buyWithRetries(shop, { email: "after@example.test", maxWait: 20_000 })
      const doctor = await admin("doctor")
      expect(doctor).toMatchObject({
        errorOutput: "",
        output: expect.stringMatching(/ok {4}accounts +balanced/),
      })
      expect(await shop.stop()).toBe(0)
      rmSync(folder, { recursive: true })
    },
  )
}

/** Buyers who buy one after another, each from an address of its own. A purchase whose order is gone is given up. */
function keepBuying(shop: TestServer) {
  let number = 0
  let stopped = false
  async function one() {
    while (!stopped) {
      number++
      const headers = { "x-forwarded-for": `198.51.${Math.floor(number / 200)}.${(number % 200) + 1}` }
      const buyer = { email: `buyer${number}@example.test`, headers, maxWait: 3_000 }
      await buyWithRetries(shop, buyer).catch(() => null)
    }
  }
  const all = Promise.all(Array.from({ length: BUYERS }, one))
  return {
    async stop() {
      stopped = true
      await all
    },
  }
}
