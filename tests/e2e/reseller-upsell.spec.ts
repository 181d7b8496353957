import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, test } from "playwright/test"
import { buyOn, person } from "../screens"
import { runServerCommand } from "../server-command"
import { type Shop, startShop } from "../server-process"
import { storedServices } from "../stored-services"

let shop: Shop
test.beforeAll(async () => {
  shop = await startShop()
})
test.afterAll(() => shop.stop())

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: person })

    test("a reseller who has signed in buys connections for his active service, and nobody else", async ({
      page,
      browser,
    }) => {
      const email = `reseller-${javaScriptEnabled}@example.test`
      const username = await buyOn(page, shop, email)
      const id = asResellers(username)
      await page.goto(`${shop.url}/checkout/upsell?serviceid=${id}`)
      await expect(page).toHaveURL(`${shop.url}/checkout/resellers`)

      const { said } = await runServerCommand(["books", "link", email, "--serviceid", id], {
        ...{ DATA_DIR: shop.dataDir, PUBLIC_URL: shop.url },
      })
      await page.goto((/https?:\S+/.exec(said)?.[0] ?? "").replace("/checkout/?", "/checkout/upsell?"))
      await expect(page).toHaveURL(`${shop.url}/checkout/upsell`)
      await page.locator('input[name="quantity"]').fill("4")
      if (!javaScriptEnabled) await page.locator('button[value="upsell-update"]').click()
      await expect(page.locator("main")).toContainText("€79.60")
      await page.locator('button[value="upsell"]').click()
      await page.waitForURL((url) => url.origin === shop.sandboxUrl)
      await page.locator('button[value="paid"]').click()
      await expect(page).toHaveURL(/\/checkout\/success$/, { timeout: 20_000 })
      await expect.poll(() => storedServices(shop.dataDir).find((it) => it.id === id)?.connections).toBe(5)

      const stranger = await (await browser.newContext({ javaScriptEnabled, userAgent: person })).newPage()
      await stranger.goto(`${shop.url}/checkout/de-de/upsell?serviceid=${id}`)
      await expect(stranger).toHaveURL(`${shop.url}/checkout/de-de/resellers`)
      await stranger.context().close()
    })
  })
}

/** Reseller plans are not sold by this shop yet: the service becomes one in its books. Answers its id. */
function asResellers(username: string): string {
  const books = new DatabaseSync(join(shop.dataDir, "books.db"))
  books.prepare("UPDATE services SET kind = 'reseller' WHERE username = ?").run(username)
  books.close()
  return storedServices(shop.dataDir).find((it) => it.username === username)?.id ?? ""
}
