import { expect } from "playwright/test"
import { operatorsOfLongStanding } from "../../fixtures/database-edits"
import { operatorPage } from "../../fixtures/signed-in-operator"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { buyOn, orderNumberOn } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { startShop } from "../start-shop"
import { deepUnless } from "../tags"

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript a refund above the limit waits for a second owner, and Coinbase then pays it`,
    deepUnless(!javaScriptEnabled),
    async ({ page, browser }) => {
      const shop = await startShop({ env: { GATEWAYS: "coinbase", APPROVE_ABOVE: "10" } })
      await buyOn(page, shop, uniqueEmail())
      const number = await orderNumberOn(page)
      const [marta, jonas] = [
        await operatorPage(browser, shop, { javaScriptEnabled }),
        await operatorPage(browser, shop, { javaScriptEnabled }),
      ]
      operatorsOfLongStanding(shop)

      await marta.goto(`${shop.url}/checkout/admin/orders/${number}`)
      const refund = marta.locator("details.action", { hasText: "Refund" })
      await refund.locator("summary").click()
      await refund.getByLabel("Amount").fill("10.50")
      await refund.getByLabel("Reason").fill("outage")
      await expect(refund.getByLabel("Coinbase sends it now: €")).toBeChecked()
      await refund.getByRole("button").click()
      await expect(marta.getByRole("status")).toContainText("waits for a second operator")
      await expect(marta.getByRole("button", { name: "Confirm" })).toHaveCount(0)

      await jonas.goto(`${shop.url}/checkout/admin`)
      await expect(jonas.locator("main")).toContainText("To be confirmed by a second operator")
      await jonas.getByRole("link", { name: "Open" }).click()
      if (javaScriptEnabled) await expectAccessible(jonas, "request", sampleViews)
      await jonas.locator("form", { hasText: "Confirm" }).getByLabel("Reason").fill("checked")
      await jonas.getByRole("button", { name: "Confirm" }).click()
      await expect(jonas.getByRole("status")).toHaveText("You have confirmed €10.50, and it was carried out.")
      await expect(async () => {
        await jonas.reload()
        await expect(jonas.locator(".timeline")).toContainText("Refund sent", { timeout: 1_000 })
      }).toPass()
      await expect(jonas.locator("table")).toContainText("-€10.50")
      await marta.context().close()
      await jonas.context().close()
      await shop.stop()
    },
  )
}
