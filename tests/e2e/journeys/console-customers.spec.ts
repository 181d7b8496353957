import { expect, type Locator, type Page } from "playwright/test"
import { operatorPage } from "../../fixtures/signed-in-operator"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { buyOn } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { startShop } from "../start-shop"
import { deep } from "../tags"

/** Opens an action of the page. */
async function opened(page: Page, name: string): Promise<Locator> {
  const summary = page.locator("summary", { hasText: name })
  await summary.click()
  return page.locator("details.action", { has: summary })
}

const menu = (page: Page, name: string) => page.getByRole("link", { name }).filter({ visible: true }).first()

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript an operator finds a customer, grants credit, sees their page and gives days to their service`,
    deep,
    async ({ page, browser }) => {
      const shop = await startShop()
      const email = uniqueEmail()
      await buyOn(page, shop, email)
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })

      await menu(desk, "Customers").click()
      if (javaScriptEnabled) await expectAccessible(desk, "customers", sampleViews)
      await desk.getByLabel("Find a customer").fill(email.slice(0, -4))
      await desk.getByRole("button", { name: "Find" }).click()
      await expect(desk.getByRole("heading", { level: 1 })).toHaveText(email)

      const credit = await opened(desk, "Grant account credit")
      await credit.getByLabel("Amount").fill("five")
      await credit.getByLabel("Reason").fill("outage")
      await credit.getByRole("button").click()
      await expect(desk.getByRole("alert")).toHaveText(
        "Type an amount such as 12.50, and thousands without a separator: 1000.",
      )
      await expect(desk.getByRole("alert")).toBeFocused()
      await desk.keyboard.press("Tab")
      await expect(desk.getByRole("link", { name: "To the form" })).toBeFocused()
      await desk.keyboard.press("Enter")
      await desk.keyboard.press("Tab")
      await expect(credit.locator("summary")).toBeFocused()
      await expect(credit.getByLabel("Reason")).toHaveValue("outage")
      await credit.getByLabel("Amount").fill("5.00")
      await credit.getByRole("button").click()
      await expect(desk.getByRole("status")).toHaveText(`Account credit of €5.00 granted to ${email}.`)
      await expect(desk.getByRole("region", { name: "Account credit" })).toContainText("€5.00")
      if (javaScriptEnabled) await expectAccessible(desk, "customer", sampleViews)

      const view = await opened(desk, "View as the customer")
      await view.getByLabel("Reason").fill("cannot find the playlist")
      await view.getByRole("button").click()
      await expect(desk.getByRole("banner")).toContainText(`You see the shop as ${email} does`)
      await expect(desk.getByRole("button", { name: "Restart the connection" })).toBeDisabled()
      if (javaScriptEnabled) await expectAccessible(desk, "view as customer", sampleViews)
      await desk.getByRole("link", { name: "Back to the customer" }).click()

      await desk.locator(".rows a").first().click()
      const days = await opened(desk, "Give days")
      await days.getByLabel("Days").fill("3")
      await days.getByLabel("Reason").fill("outage on Sunday")
      await days.getByRole("button").click()
      await expect(desk.locator(".timeline")).toContainText("outage on Sunday")
      if (javaScriptEnabled) await expectAccessible(desk, "service", sampleViews)
      const uncover = await opened(desk, "Show the login details")
      await uncover.getByLabel("Reason").fill("asked on the phone")
      await uncover.getByRole("button").click()
      await expect(desk.locator("dd .mono").nth(1)).toHaveText(/^\d{10}$/)

      await menu(desk, "Audit log").click()
      for (const action of ["grant-credit", "view-as-customer", "extend-service", "show-credentials"])
        await expect(desk.locator("table")).toContainText(action)
      await desk.context().close()
      await shop.stop()
    },
  )
}
