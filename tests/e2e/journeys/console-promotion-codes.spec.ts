import { readFile } from "node:fs/promises"
import { expect } from "playwright/test"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { becomeReseller } from "../../fixtures/reseller-purchase"
import { operatorPage } from "../../fixtures/signed-in-operator"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import { startShop } from "../start-shop"
import { deepUnless } from "../tags"

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without"

  test(
    `${how} JavaScript an owner generates one-time codes, downloads them, and sees who has bought with one`,
    deepUnless(!javaScriptEnabled),
    async ({ browser }) => {
      const shop = await startShop()
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })
      const look = async (name: string) => {
        if (javaScriptEnabled) await expectAccessible(desk, name, sampleViews)
      }
      const visit = (code: string) => new Browser().visit(`${shop.url}/checkout/?pid=3&promocode=${code}`)
      const order = async (code: string) => {
        const buyer = new Browser()
        await buyer.visit(`${shop.url}/checkout/?pid=3&promocode=${code}`)
        return goToGateway(await chooseAndPay(buyer, { shop }))
      }

      await desk.getByRole("navigation").getByRole("link", { name: "Promotions" }).first().click()
      await desk.getByRole("link", { name: "WELCOME10" }).click()
      await desk.getByRole("link", { name: "Generate, list and withdraw" }).click()
      await look("a promotion without codes")
      await desk.getByText("Generate codes", { exact: true }).first().click()
      const generating = desk.locator("form", { has: desk.getByRole("button", { name: "Generate codes" }) })
      await generating.getByLabel("How many").fill("20")
      await generating.getByLabel("They begin with").fill("fair")
      await generating.getByLabel("Reason").fill("fair in May")
      await generating.getByRole("button").click()
      await expect(desk.getByRole("status")).toHaveText("20 codes are generated.")
      await look("one-time codes")

      await desk.getByText("Download as CSV", { exact: true }).first().click()
      const exporting = desk.locator("form", { has: desk.getByRole("button", { name: "Download as CSV" }) })
      await exporting.getByLabel("Reason").fill("printing")
      const download = desk.waitForEvent("download")
      await exporting.getByRole("button").click()
      const file = await readFile(await (await download).path(), "utf8")
      const codes = [...file.matchAll(/FAIR-[-2-9A-Z]+/g)].map(([code]) => code)
      expect(codes.length).toBe(20)

      const [code = ""] = codes
      expect((await order(code.toLowerCase())).status).toBe(200)
      expect((await visit(code)).text).toContain("This code has reached its limit.")
      await desk.reload()
      await expect(desk.getByRole("main")).toContainText("19 unused, 1 used, 0 withdrawn")
      await look("one-time codes of which one is used")
      const codesPage = desk.url()
      await desk.getByRole("row", { name: code }).getByRole("link").click()
      const cancelling = desk.locator("form", { has: desk.locator('input[value="cancel-order"]') })
      await desk.locator("details.action", { has: cancelling }).locator("summary").click()
      await cancelling.getByLabel("Reason").fill("duplicate")
      await cancelling.getByRole("button").click()
      await desk.goto(codesPage)
      await expect(desk.getByRole("main")).toContainText("20 unused, 0 used, 0 withdrawn")
      expect((await order(code)).status).toBe(200)

      await desk.getByText("Withdraw unused codes", { exact: true }).first().click()
      const taking = desk.locator("form", {
        has: desk.getByRole("button", { name: "Withdraw unused codes" }),
      })
      await taking.getByLabel("Reason").fill("the fair is over")
      await taking.getByRole("button").click()
      await expect(desk.getByRole("status")).toHaveText("19 codes are withdrawn.")
      expect((await visit(codes[1] ?? "")).text).toContain("This code has expired.")
      await shop.stop()
    },
  )

  test(
    `${how} JavaScript an owner grants credits to a reseller and reads the ledger`,
    deepUnless(!javaScriptEnabled),
    async ({ browser }) => {
      const shop = await startShop()
      const email = uniqueEmail()
      await becomeReseller(new Browser(), { shop, email, password: "correct horse battery staple" })
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })
      const look = async (name: string) => {
        if (javaScriptEnabled) await expectAccessible(desk, name, sampleViews)
      }
      await desk.getByRole("navigation").getByRole("link", { name: "Resellers" }).first().click()
      await look("the resellers")
      await desk.getByRole("link", { name: email }).click()
      await desk.getByText("Grant credits", { exact: true }).first().click()
      const granting = desk.locator("form", { has: desk.getByRole("button", { name: "Grant credits" }) })
      await granting.getByLabel("How many credits").fill("10")
      await granting.getByLabel("Reason").fill("outage in May")
      await granting.getByRole("button").click()
      await expect(desk.getByRole("row", { name: /outage in May/ })).toContainText("+10")
      await look("a reseller")
      await shop.stop()
    },
  )
}
