import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "playwright/test"
import { accessOn, chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { Browser } from "../../support/browser/no-script-browser"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

const EMAIL = "ana@example.test"

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-"))
})
test.afterEach(() => rmSync(folder, { recursive: true }))

test(
  "restore puts a running shop back to its backup, and the buyer from before keeps the credentials",
  deep,
  async () => {
    const shop = await startShop({ dataDir: folder })
    const admin = (...args: string[]) => runServerCommand(["admin", ...args], { DATA_DIR: folder })
    const file = join(folder, "backup.jsonl")
    const browser = new Browser()
    const bought = await waitForAccess(
      await payAt(await goToGateway(await chooseAndPay(browser, { shop, email: EMAIL }))),
    )
    expect(await admin("backup", "create", file)).toMatchObject({ exitCode: 0, errorOutput: "" })

    const later = await goToGateway(await chooseAndPay(new Browser(), { shop, email: EMAIL }))
    expect(readStoredRows(folder).orders).toHaveLength(2)
    expect(await admin("backup", "restore", file)).toMatchObject({
      exitCode: 1,
      errorOutput: expect.stringMatching(/not empty/),
    })
    expect(await admin("backup", "restore", file, "--replace")).toMatchObject({
      exitCode: 0,
      errorOutput: "",
    })
    expect(readStoredRows(folder).orders).toHaveLength(1)
    expect(accessOn(await browser.visit(bought.url))).toEqual(accessOn(bought))

    expect(later.status).toBe(200)
    await waitForAccess(
      await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop, email: EMAIL }))),
    )
    expect(readStoredRows(folder).orders).toHaveLength(2)
    expect((await admin("doctor")).output).toMatch(/ok {4}accounts +balanced/)
    expect(await shop.stop()).toBe(0)
  },
)

test("the operator exports and erases a customer's data while the shop runs", deep, async () => {
  const shop = await startShop({ dataDir: folder })
  const admin = (...args: string[]) => runServerCommand(["admin", ...args], { DATA_DIR: folder })
  await waitForAccess(
    await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop, email: EMAIL }))),
  )
  const { output } = await admin("customers", "export", "ana@example.test", "--reason", "asked")
  expect(JSON.parse(output)).toMatchObject({ email: "ana@example.test", services: [{ status: "Active" }] })
  expect((await admin("customers", "erase", "ana@example.test")).errorOutput).toMatch(
    /an active or suspended service.*--force/,
  )
  expect((await admin("customers", "erase", "ana@example.test", "--force")).exitCode).toBe(0)
  expect((await admin("orders", "list")).output).toMatch(/79\.00 EUR of 79\.00 EUR {2}erased/)
  expect((await admin("customers", "export", "ana@example.test", "--reason", "asked")).exitCode).toBe(1)
  await shop.stop()
})
