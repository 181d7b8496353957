import { expect } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { operatorPage, runAdmin } from "../../fixtures/signed-in-operator"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deep } from "../tags"

async function ends(shop: TestServer): Promise<number[]> {
  const { services } = JSON.parse(await runAdmin(shop, "services", "list", "--json"))
  return services.map(({ paidUntil }: { paidUntil: string }) => Date.parse(paidUntil)).toSorted()
}

const DAY = 86_400_000

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript an operator gives days to all services of a filter`,
    deep,
    async ({ browser }) => {
      const shop = await startShop()
      for (const buyer of [new Browser(), new Browser()])
        await waitForAccess(await payAt(await goToGateway(await chooseAndPay(buyer, { shop }))))
      const before = await ends(shop)
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })

      await desk.goto(`${shop.url}/checkout/admin/services?status=Active`)
      await desk.getByRole("button", { name: "Give days to services" }).click()
      await expect(desk.getByRole("heading", { level: 2 })).toHaveText("2 services")
      await expect(desk.locator("main tbody tr")).toHaveCount(2)
      if (javaScriptEnabled) await expectAccessible(desk, "bulk preview", sampleViews)
      await desk.getByLabel("Days").fill("none")
      await desk.getByLabel("Reason").fill("outage of 20 November")
      await desk.getByRole("button", { name: "Begin with all 2" }).click()
      await expect(desk.getByRole("alert")).toContainText("Type a number of days")
      await expect(desk.getByLabel("Reason")).toHaveValue("outage of 20 November")
      await desk.getByLabel("Days").fill("2")
      await desk.getByRole("button", { name: "Begin with all 2" }).click()

      await expect(desk).toHaveURL(/\/admin\/bulk\/[^/?]+$/)
      await expect(async () => {
        await desk.reload()
        await expect(desk.getByRole("heading", { level: 2 })).toHaveText("Ended", { timeout: 1_000 })
      }).toPass()
      await expect(desk.locator("main")).toContainText("2 of 2")
      if (javaScriptEnabled) await expectAccessible(desk, "bulk run", sampleViews)
      expect(await ends(shop)).toEqual(before.map((end) => end + 2 * DAY))

      const file = await desk.request.get(`${desk.url()}/result.csv`)
      expect((await file.text()).match(/,done,,/g)).toHaveLength(2)
      await desk.getByRole("navigation").getByRole("link", { name: "Bulk actions" }).first().click()
      await expect(desk.locator("main tbody tr")).toHaveText(/Give days to services/)
      await shop.stop()
    },
  )
}
