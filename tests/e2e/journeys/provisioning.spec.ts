import { expect } from "playwright/test"
import { PANEL_SECRET, startPanel } from "../../fakes/fake-panel"
import { buyForPage, orderForPage } from "../../fixtures/purchase-for-page"
import { BROWSER_AGENT, unfold } from "../../support/browser/page-actions"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deepUnless } from "../tags"

let panel: Awaited<ReturnType<typeof startPanel>>
let shop: TestServer
test.beforeAll(async () => {
  panel = await startPanel()
  const settings = { PROVISIONER: "webhook", PROVISIONER_URL: panel.url, PROVISIONER_SECRET: PANEL_SECRET }
  shop = await startShop({ env: settings })
})
test.afterAll(async () => {
  await shop.stop()
  await panel.stop()
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })

    test(
      "the page shows a delay while the panel is down, and the credentials once it is up",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        panel.break(true)
        await page.goto(await orderForPage(page, shop))
        await page.locator('button[value="paid"]').click()
        await expect(page.locator("main")).toContainText("longer than usual", { timeout: 20_000 })
        panel.break(false)
        const username = page.getByText(/^TV[0-9A-Z]{8}$/).first()
        await expect(username).toBeVisible({ timeout: 25_000 })
        await expect(page.locator("main")).toContainText("https://panel.example")
        expect(panel.received.filter(({ type }) => type === "line.create").at(-1)?.data.username).toBe(
          (await username.innerText()).trim(),
        )
      },
    )

    test(
      "a device is said to wait for the panel while that is down, and succeeds once it is up",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        await buyForPage(page, shop)
        panel.break(true)
        await (await unfold(page, "[name=deviceAddress]")).fill("00:1a:79:00:00:01")
        await page.locator('button[value="device"]').click()
        await expect(page.locator(".done-notice")).toContainText("00:1A:79:00:00:01")
        await expect(page.locator(".done-notice")).toContainText("hasn’t confirmed it yet")
        panel.break(false)
        await (await unfold(page, "[name=deviceAddress]")).fill("00:1a:79:00:00:01")
        await page.locator('button[value="device"]').click()
        await expect(page).toHaveURL(/done=device/)
        expect(panel.received.at(-1)).toMatchObject({
          type: "line.device",
          data: { deviceAddress: "00:1A:79:00:00:01" },
        })
      },
    )
  })
}

test("the log contains no username of a line and no panel secret", () => {
  for (const { data } of panel.received) expect(shop.output()).not.toContain(data.username)
  expect(shop.output()).not.toContain(PANEL_SECRET)
})
