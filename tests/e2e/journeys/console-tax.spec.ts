import { expect } from "playwright/test"
import { operatorPage } from "../../fixtures/signed-in-operator"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import { startShop } from "../start-shop"
import { deepUnless } from "../tags"

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript an owner types rules of tax, looks at what a buyer pays, switches them on, and takes them back`,
    deepUnless(!javaScriptEnabled),
    async ({ browser }) => {
      const shop = await startShop()
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })
      const look = async (name: string) => {
        if (javaScriptEnabled) await expectAccessible(desk, name, sampleViews)
      }
      const checkout = async () => (await new Browser().visit(`${shop.url}/checkout/`)).text
      const main = desk.locator("main")
      /** Opens an action, gives a reason and sends it. */
      const act = async (name: string) => {
        const action = desk.locator("details.action").filter({ hasText: name })
        await action.locator("summary").click()
        await action.getByLabel("Reason").fill("a reason")
        await action.getByRole("button", { name, exact: true }).click()
      }

      await desk.getByRole("navigation").getByRole("link", { name: "Tax" }).first().click()
      await expect(main).toContainText("There are no rules: nothing is taxed.")
      await desk.getByRole("link", { name: "Change the rules" }).click()
      const form = desk.locator("details.action")
      await form.locator("summary").click()
      await form.getByLabel("Seller's country").fill("DE")
      await form.getByLabel("Registrations").fill("DE; DE123456789")
      await form.getByLabel("Own rates").fill("DE; ; ; much")
      await form.getByLabel("Reason").fill("a start")
      await look("the form of the rules of tax")
      await form.getByRole("button", { name: "Change the rules" }).click()
      await expect(desk.getByRole("alert")).toContainText("Own rates, line 1: percent must be a number.")
      await form.getByLabel("Own rates").fill("DE; ; ; 10")
      await form.getByRole("button", { name: "Change the rules" }).click()
      await expect(main).toContainText("Nothing is taxed: nobody has said that the rates are right.")
      expect(await checkout()).not.toContain("VAT")

      await desk.getByLabel("Buyer's country").fill("de")
      await desk.getByLabel("Plan").selectOption("3")
      await desk.getByRole("button", { name: "Show" }).click()
      await expect(desk.locator("#preview")).toContainText("€7.18")
      await look("the rules of tax")

      await act("I have checked these rates")
      await expect(desk.getByRole("status").first()).toBeVisible()
      await expect.poll(checkout).toContain("VAT")
      await desk.getByRole("link", { name: "Version 1" }).click()
      await look("a version of the rules of tax")
      await act("Take back to version 1")
      await expect(desk.getByRole("heading", { level: 1 })).toHaveText("Version 3")
      await expect.poll(checkout).not.toContain("VAT")
      await shop.stop()
    },
  )
}
