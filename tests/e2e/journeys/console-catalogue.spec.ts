import { expect } from "playwright/test"
import { DAY } from "~/domain/calendar"
import { operatorPage } from "../../fixtures/signed-in-operator"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import { runServerCommand } from "../../support/server/run-server-command"
import { test } from "../shop-test"
import { startShop } from "../start-shop"
import { deepUnless } from "../tags"

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript an owner looks at a new price in the preview, saves it, takes it back, and adds and removes a plan`,
    deepUnless(!javaScriptEnabled),
    async ({ browser }) => {
      const shop = await startShop()
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })
      const look = async (name: string) => {
        if (javaScriptEnabled) await expectAccessible(desk, name, sampleViews)
      }
      const checkout = async () => (await new Browser().visit(`${shop.url}/checkout/`)).text

      await desk.getByRole("navigation").getByRole("link", { name: "Catalogue" }).first().click()
      await look("the catalogue")
      await desk.getByRole("link", { name: "12 months (3)" }).click()
      await desk.getByText("Change", { exact: true }).first().click()
      await desk.getByLabel("EUR annually", { exact: true }).first().fill("61.23")
      await look("a product")
      await desk.getByRole("button", { name: "Preview" }).click()
      await expect(desk.locator("header")).toContainText("Nothing is saved")
      await expect(desk.locator("main")).toContainText("61.23")
      await desk.getByRole("link", { name: "de-de" }).click()
      await expect(desk.locator("main")).toContainText("61,23")
      expect(await checkout()).not.toContain("61.23")

      await desk.getByRole("link", { name: "Back to the form" }).click()
      await expect(desk.getByLabel("EUR annually", { exact: true }).first()).toHaveValue("61.23")
      await desk.getByLabel("Reason").first().fill("a sale")
      await desk.getByRole("button", { name: "Change", exact: true }).click()
      await expect(desk.getByRole("status").first()).toBeVisible()
      await expect.poll(checkout).toContain("61.23")

      await desk.getByRole("link", { name: "The catalogue" }).click()
      await desk.getByRole("link", { name: "Version 1" }).click()
      await look("a version")
      await desk.getByText("Take back to version 1").first().click()
      await desk.getByLabel("Reason").fill("too early")
      await desk.getByRole("button", { name: "Take back to version 1" }).click()
      await expect(desk.locator("main")).toContainText("price EUR annually 61.23 → 79.00")
      await expect.poll(checkout).not.toContain("61.23")

      await desk.getByRole("navigation").getByRole("link", { name: "Catalogue" }).first().click()
      await desk.getByRole("link", { name: "New option" }).click()
      await look("a new option")
      await desk.getByRole("link", { name: "The catalogue" }).click()
      await desk.getByRole("link", { name: "New plan", exact: true }).click()
      await look("a new plan")
      await desk.getByLabel("Name", { exact: true }).fill("Two years")
      await desk.getByLabel("EUR biennially", { exact: true }).fill("111.11")
      await desk.getByLabel("Reason").fill("asked for")
      await desk.getByRole("button", { name: "Add", exact: true }).click()
      await expect(desk.getByRole("status").first()).toBeVisible()
      expect(await checkout()).not.toContain("Two years")
      await desk.getByText("Remove", { exact: true }).first().click()
      await desk.getByLabel("Reason").last().fill("not needed")
      await desk.getByRole("button", { name: "Remove", exact: true }).click()
      await expect(desk.getByRole("status").first()).toContainText("The product is removed.")
      await shop.stop()
    },
  )

  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript an owner schedules a price, takes it back, schedules another, and new buyers pay it from its time on`,
    deepUnless(!javaScriptEnabled),
    async ({ browser }) => {
      const shop = await startShop()
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })
      const checkout = async () => (await new Browser().visit(`${shop.url}/checkout/`)).text
      const day = new Date(Date.now() + 2 * DAY).toISOString().slice(0, 10)
      const schedule = async (price: string) => {
        await desk.getByText("Schedule a price", { exact: true }).first().click()
        await desk.getByLabel("Price", { exact: true }).selectOption("EUR annually")
        await desk.getByLabel("New price").fill(price)
        await desk.getByLabel("From (").fill(`${day}T08:00`)
        await desk.getByLabel("Reason").last().fill("channels cost more")
        await desk.getByRole("button", { name: "Schedule a price" }).click()
        await expect(desk.getByRole("status").first()).toContainText("The price was scheduled.")
      }

      await desk.getByRole("navigation").getByRole("link", { name: "Catalogue" }).first().click()
      await desk.getByRole("link", { name: "12 months (3)" }).click()
      await desk.getByRole("link", { name: "What new orders cost from a time on" }).click()
      await schedule("91.23")
      if (javaScriptEnabled) await expectAccessible(desk, "scheduled prices", sampleViews)
      await desk.getByText("Take back: EUR annually").first().click()
      await desk.getByLabel("Reason").first().fill("typed wrongly")
      await desk.getByRole("button", { name: "Take back: EUR annually" }).click()
      await expect(desk.locator("main")).toContainText("No price is scheduled.")
      await schedule("92.34")
      await desk.getByRole("link", { name: "12 months", exact: true }).click()
      await expect(desk.locator("main")).toContainText(`${day} 08:00`)
      await expect(desk.locator("main")).toContainText("channels cost more")
      expect(await checkout()).not.toContain("92.34")

      await runServerCommand(["admin", "clock", "advance", "3d"], { DATA_DIR: shop.dataDir })
      await expect.poll(checkout).toContain("92.34")
      await shop.stop()
    },
  )
}
