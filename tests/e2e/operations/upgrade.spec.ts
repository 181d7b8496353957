import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "playwright/test"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop, type TestServer } from "../../support/server/server-process"
import { deep } from "../tags"

const former = (name: string) => inProject("tests", "fixtures", "release-2dee972", name)
const { secret, customerPassword, SQLite: facts } = JSON.parse(readFileSync(former("expected.json"), "utf8"))
const SESSION_SECRETS = String(secret)

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-"))
})
test.afterEach(() => rmSync(folder, { recursive: true }))

test("a shop starts on the books.db of release 2dee972, signs in its customer and sells", async () => {
  copyFileSync(former("books.db"), join(folder, "books.db"))
  const shop = await startShop({ dataDir: folder, env: { SESSION_SECRETS } })
  await seesService(shop)
  await waitForAccess(await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop }))))
  expect(existsSync(join(folder, "boxoffice.db"))).toBe(false)
  expect(await shop.stop()).toBe(0)
})

test("restore reads a backup of release 2dee972 into a running shop", deep, async () => {
  const shop = await startShop({ dataDir: folder, env: { SESSION_SECRETS } })
  const restored = await runServerCommand(["admin", "backup", "restore", former("backup.jsonl")], {
    DATA_DIR: folder,
  })
  expect(restored).toMatchObject({ exitCode: 0, errorOutput: "" })
  await seesService(shop)
  await waitForAccess(await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop }))))
  const { output } = await runServerCommand(["admin", "doctor"], { DATA_DIR: folder })
  expect(output).toMatch(/ok +accounts +balanced/)
  expect(await shop.stop()).toBe(0)
})

/** Signs in the customer of the former release by password and expects their service. */
async function seesService(shop: TestServer): Promise<void> {
  const signIn = await new Browser().visit(`${shop.url}/checkout/?signin`)
  const page = await signIn.submit({
    button: { value: "sign-in" },
    fields: { email: "ana@example.test", password: String(customerPassword) },
  })
  expect([page.status, page.url.pathname]).toEqual([200, "/checkout/success"])
  expect(page.text).toContain(facts.username)
  expect(page.text).toContain(facts.password)
}
