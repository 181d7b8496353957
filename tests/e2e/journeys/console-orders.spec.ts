import { expect, type Page } from "playwright/test"
import { operatorPage } from "../../fixtures/signed-in-operator"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { buyOn } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { startShop } from "../start-shop"
import { deepUnless } from "../tags"

/** On a phone a row of a table is a block, with nothing to scroll to at its side. */
async function expectNothingOutOfSight(desk: Page): Promise<void> {
  const wide = desk.viewportSize()
  await desk.setViewportSize({ width: 360, height: 740 })
  const hidden = await desk
    .locator(".scroll")
    .evaluateAll((tables) => tables.map((it) => it.scrollWidth - it.clientWidth))
  expect(hidden.length).toBeGreaterThan(0)
  expect(Math.max(...hidden)).toBeLessThanOrEqual(0)
  if (wide) await desk.setViewportSize(wide)
}

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript an operator finds an order, notes on it, refunds a part, and the page says what has happened`,
    deepUnless(!javaScriptEnabled),
    async ({ page, browser }) => {
      const shop = await startShop()
      const email = uniqueEmail()
      await buyOn(page, shop, email)
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })

      await desk.locator(".figure a").first().click()
      await expect(desk.getByLabel("Paid from")).not.toHaveValue("")
      await expect(desk.locator("table.orders")).toContainText(email)
      await desk.getByRole("link", { name: "Orders", exact: true }).filter({ visible: true }).click()
      if (javaScriptEnabled) await expectAccessible(desk, "orders", sampleViews)
      await desk.getByLabel("Find an order").fill(email.slice(0, -4))
      await desk.getByRole("button", { name: "Find" }).click()
      await expect(desk.locator("main .title .pill")).toHaveText("Active")
      await expect(desk.locator(".timeline")).toContainText("Ready to watch")

      await desk.getByLabel("New note").fill("Wrote on chat: the panel is back.")
      await desk.getByRole("button", { name: "Add the note" }).click()
      await expect(desk.getByRole("status")).toContainText(/Note on order \w+ added\./)
      await expect(desk.locator(".note")).toHaveText("Wrote on chat: the panel is back.")

      const refund = desk.locator("details", { hasText: "Refund" })
      await refund.locator("summary").click()
      await refund.getByLabel("Amount").fill("999.00")
      await refund.getByLabel("Reason").fill("outage")
      await refund.getByRole("button").click()
      await expect(desk.getByRole("alert")).toContainText("Not as much is left to refund in this way")
      await expect(refund.getByLabel("Reason")).toHaveValue("outage")
      await refund.getByLabel("Amount").fill("1.00")
      await refund.getByRole("button").click()
      await expect(desk.getByRole("status")).toContainText("Refund of €1.00 for order")
      await expect(desk.locator(".timeline")).toContainText("operator: outage")
      if (javaScriptEnabled) await expectAccessible(desk, "order", sampleViews)
      await expect(desk.locator("table")).toContainText("-€1.00")
      await expectNothingOutOfSight(desk)

      await desk.getByRole("link", { name: "Audit log" }).filter({ visible: true }).click()
      await expect(desk.locator("table")).toContainText("refund-order")
      await expectNothingOutOfSight(desk)
      await desk.context().close()
      await shop.stop()
    },
  )
}
