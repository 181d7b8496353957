import { expect } from "playwright/test"
import { becomeReseller } from "../../fixtures/reseller-purchase"
import { uniqueEmail } from "../../fixtures/unique-email"
import { findViolation, screens, tally } from "../../support/attacks/attack-inputs"
import { payloads, running } from "../../support/attacks/injection-payloads"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { attackTest } from "../attack-test"
import { underAttack } from "../shop-settings"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop(underAttack)
})

attackTest(
  "HTML and SQL in a reseller's email, password and lines are stored as text and run on no page",
  async (pick) => {
    const { count, conclude } = tally("stored texts of resellers")
    for (const payload of pick(payloads.slice(0, 10), 3)) {
      const browser = new Browser({ "user-agent": BROWSER_AGENT })
      const email = `${payload.replaceAll(/\s/g, "")}${uniqueEmail()}`
      const who = { shop, email, password: `${payload} horse battery` }
      const account = await becomeReseller(browser, who)
      const made = await account.submit({ having: "notes", fields: { notes: payload } })
      const pages = await Promise.all(screens.map((screen) => browser.visit(shop.url + screen)))
      for (const page of [account, made, ...pages])
        count(`${page.url.pathname} ${payload}`, findViolation(page) ?? running(page))
      expect(made.text).toContain(payload.trim())
    }
    conclude()
  },
)
