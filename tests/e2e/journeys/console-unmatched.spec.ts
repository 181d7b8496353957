import { expect } from "playwright/test"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { operatorPage, runAdmin } from "../../fixtures/signed-in-operator"
import { readStoredRows } from "../../fixtures/stored-data"
import { storeUnmatchedPayment } from "../../fixtures/unmatched-payment"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import { startShop } from "../start-shop"
import { deep } from "../tags"

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript an operator assigns money that matches nothing to the order it was for`,
    deep,
    async ({ browser }) => {
      const shop = await startShop()
      await goToGateway(await chooseAndPay(new Browser(), { shop }))
      storeUnmatchedPayment(shop)
      const [order] = readStoredRows(shop.dataDir).orders
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })
      const look = (name: string) => (javaScriptEnabled ? expectAccessible(desk, name, sampleViews) : null)

      await desk.goto(`${shop.url}/checkout/admin`)
      await desk.getByRole("link", { name: "Money that matches no order" }).click()
      await look("payments that match no order")
      await desk.getByRole("link", { name: "tx-9" }).click()
      await look("a payment that matches no order")
      await desk.getByText("Assign to an order").first().click()
      await desk.getByLabel("Number of the order").fill("NONE")
      const form = desk.locator("form", { has: desk.getByLabel("Number of the order") })
      await form.getByLabel("Reason").fill("the buyer has sent the receipt")
      await form.getByRole("button", { name: "Assign to an order" }).click()
      await expect(desk.getByRole("alert")).toContainText("There is no order with this number.")
      await desk.getByLabel("Number of the order").fill(order?.id ?? "")
      await expect(form.getByLabel("Reason")).toHaveValue("the buyer has sent the receipt")
      await form.getByRole("button", { name: "Assign to an order" }).click()

      await expect(desk.locator("main")).toContainText("Assigned")
      expect(readStoredRows(shop.dataDir).orders).toMatchObject([{ received: 20_00 }])
      await desk.goto(`${shop.url}/checkout/admin`)
      await expect(desk.getByRole("link", { name: "Money that matches no order" })).toHaveCount(0)
      for (const path of ["unmatched-payments?state=handled", "rejected-callbacks", "gateways"]) {
        await desk.goto(`${shop.url}/checkout/admin/${path}`)
        await look(path)
      }
      const { payments } = JSON.parse(
        await runAdmin(shop, "unmatched-payments", "list", "--handled", "--json"),
      )
      expect(payments).toMatchObject([
        { payment: "unmatched", state: "assigned", handling: { orderId: order?.id } },
      ])
      await shop.stop()
    },
  )
}
