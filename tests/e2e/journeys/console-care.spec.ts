import { expect } from "playwright/test"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { operatorPage, runAdmin } from "../../fixtures/signed-in-operator"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import { freePort } from "../../support/server/free-port"
import { test } from "../shop-test"
import { startShop } from "../start-shop"
import { deepUnless } from "../tags"

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript an owner finds mail that does not go out, blocks a network, and looks at the log, backups and settings`,
    deepUnless(!javaScriptEnabled),
    async ({ browser }) => {
      test.setTimeout(300_000)
      // Nothing listens there.
      const mail = {
        SMTP_URL: `smtp://owner:hidden@127.0.0.1:${await freePort()}`,
        MAIL_FROM: "tv@shop.test",
      }
      const shop = await startShop({ env: mail })
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })
      const look = async (name: string) => {
        if (javaScriptEnabled) await expectAccessible(desk, name, sampleViews)
      }
      const go = (name: string) =>
        desk.getByRole("navigation").getByRole("link", { name, exact: true }).first().click()

      const ana = uniqueEmail()
      const buyer = new Browser()
      await buyer.visit(`${shop.url}/checkout/?pid=3`)
      await goToGateway(await chooseAndPay(buyer, { shop, email: ana }))
      await go("Customers")
      await desk.getByRole("link", { name: ana }).click()
      await desk.getByText("Mail a sign-in link", { exact: true }).first().click()
      const asking = desk.locator("form", { has: desk.getByRole("button", { name: "Mail a sign-in link" }) })
      await asking.getByLabel("Reason").fill("cannot get in")
      await asking.getByRole("button").click()

      await expect(async () => {
        await go("Mail")
        await expect(desk.getByRole("row", { name: /Link and code/ })).toContainText("ECONNREFUSED", {
          timeout: 500,
        })
      }).toPass({ timeout: 60_000 })
      await desk.getByLabel("Address").fill(ana)
      await desk.getByLabel("State").selectOption("Waiting")
      await desk.getByRole("button", { name: "Show" }).click()
      await look("mail that does not go out")
      await desk.getByRole("link", { name: "Link and code to sign in" }).click()
      await desk.getByText("Send again", { exact: true }).first().click()
      await desk.getByLabel("Reason").fill("the server is back")
      await look("a message")
      await desk.getByRole("button", { name: "Send again" }).click()
      await expect(desk.getByRole("status")).toHaveText("The message is written again and sent.")
      await desk.getByRole("link", { name: "All messages" }).click()
      await desk.getByRole("link", { name: "Suppressed addresses" }).click()
      await look("suppressed addresses")

      await go("Blocks")
      await desk.getByText("Block something", { exact: true }).first().click()
      await desk.getByLabel(/^IP address/).fill("192.0.2.77/24")
      await desk.getByLabel("Reason").fill("chargebacks")
      await desk.getByRole("button", { name: "Block something" }).click()
      await expect(desk.getByRole("table")).toContainText("192.0.2.0/24")
      await look("the blocks")

      await go("Audit log")
      await desk.getByLabel("What", { exact: true }).fill("add-block")
      await desk.getByRole("button", { name: "Show" }).click()
      await expect(desk.getByRole("table")).toContainText("block 192.0.2.0/24")
      await desk.getByRole("link", { name: /^Check that/ }).click()
      await expect(desk.getByRole("status")).toContainText("all unchanged")
      await look("the audit log")

      await go("Backups")
      await expect(desk.locator("main")).toContainText("No backup was made.")
      const file = `${shop.dataDir}/backup.jsonl`
      await runAdmin(shop, "backup", "create", file)
      await runAdmin(shop, "backup", "verify", file)
      await go("Backups")
      await expect(desk.locator("main")).not.toContainText("Nobody has tried")
      await expect(desk.getByRole("table").first()).toContainText("backup.jsonl")
      await look("the backups")

      await go("Settings")
      await expect(desk.getByRole("row", { name: /^SMTP_URL/ })).toContainText("smtp://…@127.0.0.1")
      await expect(desk.locator("main")).not.toContainText("hidden@")
      await look("the settings")
      await shop.stop()
    },
  )
}
