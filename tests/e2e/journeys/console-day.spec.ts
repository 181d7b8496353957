import { expect, type Page } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { PANEL_SECRET, startPanel } from "../../fakes/fake-panel"
import { mailsTo } from "../../fixtures/mailbox"
import {
  chooseAndPay,
  goToGateway,
  payAt,
  waitForAccess,
  waitForText,
} from "../../fixtures/no-script-purchase"
import { operatorPage, runAdmin } from "../../fixtures/signed-in-operator"
import { failedSetUps, openSetUps, readStoredRows, unsentMails } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import { trusted } from "../shop-settings"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deep } from "../tags"

const MINUTE = 60_000
/** How long the morning's orders have waited when the operator comes. */
const WAITED = 15

/** Opens an action of the page. */
async function opened(desk: Page, name: string) {
  const summary = desk.locator("summary", { hasText: name })
  await summary.click()
  return desk.locator("details.action", { has: summary })
}

const orderOf = ({ dataDir }: TestServer, email: string) =>
  readStoredRows(dataDir, email).orders[0]?.id ?? "no order"
const needOf = (desk: Page, number: string) => desk.locator("main li", { hasText: number })

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript a day in the shop: a stuck order, a held one, a refund and an outage`,
    deep,
    async ({ browser }) => {
      test.setTimeout(400_000)
      const panel = await startPanel()
      const settings = {
        PROVISIONER: "webhook",
        PROVISIONER_URL: panel.url,
        PROVISIONER_SECRET: PANEL_SECRET,
      }
      const shop = await startShop({ env: { ...settings, ...trusted } })
      await runAdmin(shop, "blocks", "add", "198.51.100.0/24")

      // At night the panel is down, and an order comes from a blocked network.
      const ana = uniqueEmail("ana")
      const served = new Browser()
      panel.break(true)
      const paid = await payAt(await goToGateway(await chooseAndPay(served, { shop, email: ana })))
      const delayed = await waitForText(paid, "longer than usual")
      const stuck = orderOf(shop, ana)
      const strange = new Browser({ "x-forwarded-for": "198.51.100.5" })
      const ben = uniqueEmail("ben")
      await goToGateway(await chooseAndPay(strange, { shop, email: ben }))
      const held = orderOf(shop, ben)
      await runAdmin(shop, "clock", "advance", `${WAITED}m`)
      const shopTime = enEn.frame.shopTime.split("{{time}}")[0] ?? ""
      await expect.poll(async () => (await served.visit(`${shop.url}/checkout/`)).text).toContain(shopTime)
      // The attempt that the clock has made due, before the panel is back: the next one is a minute later.
      await expect.poll(() => failedSetUps(shop.dataDir)).toBe(2)

      const clockAhead = WAITED * MINUTE
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })

      await test.step("the stuck order is taken, and retried once the panel is back", async () => {
        const need = needOf(desk, stuck)
        await expect(need).toContainText("Paid, but no access yet")
        if (javaScriptEnabled) await expectAccessible(desk, "overview", sampleViews)
        await need.getByRole("button", { name: "I’ll take this" }).click()
        await expect(needOf(desk, stuck)).toContainText("You have this")
        panel.break(false)
        await needOf(desk, stuck).getByRole("link", { name: "Open" }).click()
        const retry = await opened(desk, "Retry setting up")
        await retry.getByLabel("Reason").fill("the panel is back")
        await retry.getByRole("button").click()
        await expect(desk.getByRole("status")).toContainText("run again now.")
        await expect(async () => {
          await desk.reload()
          await expect(desk.locator("main .title .pill")).toHaveText("Active", { timeout: 1_000 })
        }).toPass()
        const shown = await waitForAccess(await served.visit(delayed.url))
        expect(shown.url.pathname).toBe("/checkout/success")
      })

      await test.step("its buyer is mailed again", async () => {
        // Messages that have gone out, and a job that has ended, since the page was opened have changed the order.
        await expect.poll(() => openSetUps(shop.dataDir)).toBe(0)
        await expect.poll(() => unsentMails(shop.dataDir)).toBe(0)
        await desk.reload()
        const before = (await mailsTo(shop, ana)).length
        const resend = await opened(desk, "Send a message again")
        await resend.getByLabel("Reason").fill("asked on chat")
        await resend.getByRole("button").click()
        await expect(desk.getByRole("status")).toHaveText("The message is written again and sent.")
        await expect.poll(async () => (await mailsTo(shop, ana)).length).toBeGreaterThan(before)
      })

      await test.step("a part is refunded for the night", async () => {
        await expect.poll(() => unsentMails(shop.dataDir)).toBe(0)
        await desk.reload()
        const refund = await opened(desk, "Refund")
        await refund.getByLabel("Amount").fill("1.00")
        await refund.getByLabel("Reason").fill("no access at night")
        await refund.getByRole("button").click()
        await expect(desk.getByRole("status")).toContainText("Refund of €1.00 for order")
        await expect(desk.locator("table")).toContainText("-€1.00")
      })

      await test.step("the held order is released, and its buyer can pay", async () => {
        await desk.goto(`${shop.url}/checkout/admin`)
        await expect(needOf(desk, stuck)).toHaveCount(0)
        await needOf(desk, held).getByRole("link", { name: "Open" }).click()
        const release = await opened(desk, "Release from hold")
        await release.getByLabel("Reason").fill("known from the forum")
        await release.getByRole("button").click()
        await expect(desk.locator("main .title .pill")).not.toHaveText("On hold")
        const order = await strange.visit(`${shop.url}/checkout/creatingOrder`)
        await waitForAccess(await payAt(await goToGateway(order)))
      })

      await test.step("the outage is compensated for everyone who had it", async () => {
        const before = (await mailsTo(shop, ana)).length
        const at = new Date(Date.now() + clockAhead).toISOString()
        const outage = ["--active-at", at, "--product", "3", "--days", "2", "--reason", "outage at night"]
        expect(await runAdmin(shop, "services", "extend", ...outage)).toContain(
          "would be given to 2 services",
        )
        expect(await runAdmin(shop, "services", "extend", ...outage, "--mail", "--confirm")).toContain(
          "2 days given to 2 services",
        )
        await expect.poll(async () => (await mailsTo(shop, ana)).length).toBeGreaterThan(before)
        await desk.goto(`${shop.url}/checkout/admin/services/${stuck}`)
        await expect(desk.locator(".timeline")).toContainText("outage at night")
      })

      await desk.goto(`${shop.url}/checkout/admin/audit`)
      for (const action of [
        "take-need",
        "retry-job",
        "resend-mail",
        "refund-order",
        "release-order",
        "extend-services",
      ])
        await expect(desk.locator("table")).toContainText(action)
      await desk.context().close()
      await shop.stop()
      await panel.stop()
    },
  )
}
