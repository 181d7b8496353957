import { expect } from "playwright/test"
import { type MessageName, messageNames } from "~/domain/shop/mail"
import { accessibilityViolations } from "../../support/browser/accessibility-checks"
import { runServerCommand } from "../../support/server/run-server-command"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.setTimeout(400_000)

/** The HTML of a message as the shop would send it, with example content. */
async function htmlOf(name: MessageName, locale: string): Promise<string> {
  const { output } = await runServerCommand(["admin", "mail", "preview", name, locale, "--html"], {
    DATA_DIR: shop.dataDir,
  })
  return output.slice(output.indexOf("<!doctype html>"))
}

/** German has the longest words. */
for (const name of messageNames) {
  test(
    `the message ${name} has no accessibility violations, on narrow screens and in the dark too`,
    deep,
    async ({ page }) => {
      await page.setContent(await htmlOf(name, "de-de"))
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1)
      expect(await accessibilityViolations(page)).toEqual([])
    },
  )
}
