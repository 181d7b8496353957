import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "playwright/test"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { Browser } from "../../support/browser/no-script-browser"
import { startShop } from "../../support/server/server-process"
import { test } from "../shop-test"

test("a failed disk write of an order gets 503, and the shop exits with a fatal log line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-failing-disk-"))
  const sign = join(folder, "broken")
  const program = new URL("../../fakes/failing-disk.mjs", import.meta.url).href
  const shop = await startShop({ env: { NODE_OPTIONS: `--import=${program}`, FAILING_DISK: sign } })
  await goToGateway(await chooseAndPay(new Browser(), { shop, email: "kept@example.test" }))
  const review = await chooseAndPay(new Browser(), { shop, email: "lost@example.test" })

  writeFileSync(sign, "")
  expect((await goToGateway(review)).status).toBe(503)
  await expect.poll(() => shop.exitCode(), { timeout: 15_000 }).toBe(1)
  const fatal = shop.logLines().filter(({ level }) => level === 60)
  expect(fatal).toMatchObject([{ msg: "disk write failed: shutting down" }])

  rmSync(sign)
  await shop.restart()
  expect(readStoredRows(shop.dataDir).attempts.length).toBeGreaterThan(0)
  await goToGateway(await chooseAndPay(new Browser(), { shop, email: "again@example.test" }))
  expect(await shop.stop()).toBe(0)
  rmSync(folder, { recursive: true })
})
