import { expect } from "playwright/test"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { operatorPage } from "../../fixtures/signed-in-operator"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import { startShop } from "../start-shop"
import { deepUnless } from "../tags"

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript an owner adds a promotion, sees who orders with it, and switches it off`,
    deepUnless(!javaScriptEnabled),
    async ({ browser }) => {
      const shop = await startShop()
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })
      const look = async (name: string) => {
        if (javaScriptEnabled) await expectAccessible(desk, name, sampleViews)
      }
      /** A buyer who comes by a link with the code, up to the gateway. */
      const order = async (email: string) => {
        const buyer = new Browser()
        await buyer.visit(`${shop.url}/checkout/?pid=3&promocode=spring25`)
        return goToGateway(await chooseAndPay(buyer, { shop, email }))
      }

      await desk.getByRole("navigation").getByRole("link", { name: "Promotions" }).first().click()
      await look("the promotions")
      await desk.getByText("Add a promotion").first().click()
      await desk.getByLabel("Code", { exact: true }).fill("SPRING25")
      await desk.getByLabel(/\(3\)$/).check()
      await desk.getByLabel("Percent or amount").fill("25")
      await desk.getByLabel("Most orders of one customer").fill("1")
      await desk.getByLabel("Reason").fill("spring")
      await look("a new promotion")
      await desk.getByRole("button", { name: "Add a promotion" }).click()
      await expect(desk.getByRole("status")).toHaveText("The promotion is added.")

      const ana = uniqueEmail()
      await order(ana)
      const again = await order(ana)
      expect([again.status, again.text]).toEqual([
        409,
        expect.stringContaining("can’t be used again by the same person"),
      ])
      await desk.reload()
      await expect(desk.getByRole("table")).toContainText(ana)
      await expect(desk.locator("dl.facts")).toContainText("25 %")
      await look("a promotion with an order")

      await desk.getByText("Switch off", { exact: true }).first().click()
      const off = desk.locator("form", { has: desk.getByRole("button", { name: "Switch off" }) })
      await off.getByLabel("Reason").fill("it has leaked")
      await off.getByRole("button", { name: "Switch off" }).click()
      await expect(desk.locator("main")).toContainText("switched off")
      await look("a promotion that is off")
      const late = await new Browser().visit(`${shop.url}/checkout/?pid=3&promocode=spring25`)
      expect(late.text).toContain("This code has expired.")
      await desk.getByRole("link", { name: "All promotions" }).click()
      await expect(desk.getByRole("row", { name: /SPRING25/ })).toContainText("switched off")
      await shop.stop()
    },
  )
}
