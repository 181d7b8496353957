import playlistParser from "iptv-playlist-parser"
import { expect } from "playwright/test"
import { accessOn, chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { readStoredRows } from "../../fixtures/stored-data"
import { storedServices } from "../../fixtures/stored-services"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT, unfold } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })
    test(
      "a device address is accepted in any notation, and an invalid one gets a field error",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const username = await buyForPage(page, shop)
        await (await unfold(page, "[name=deviceAddress]")).fill("not a device")
        await page.locator('button[value="device"]').click()
        await expect(page.getByRole("alert").first()).toBeVisible()
        await expect(page.locator('input[name="deviceAddress"]')).toHaveValue("not a device")
        await page.locator('input[name="deviceAddress"]').fill(" 00-1a-79-ab-cd-ef ")
        await page.locator('button[value="device"]').click()
        await expect(page).toHaveURL(/done=device/)
        await expect(page.locator("main")).toContainText("00:1A:79:AB:CD:EF")
        expect(storedServices(shop.dataDir).find((it) => it.username === username)?.device_address).toBe(
          "00:1A:79:AB:CD:EF",
        )
      },
    )

    test("notes are saved, and the service is restarted", deepUnless(javaScriptEnabled), async ({ page }) => {
      await buyForPage(page, shop, { prefix: "/pt-pt" })
      await (await unfold(page, "[name=notes]")).fill("Sala <b>grande</b>")
      await page.locator('button[value="notes"]').click()
      await expect(page).toHaveURL(/done=notes/)
      await expect(page.locator('textarea[name="notes"]')).toHaveValue("Sala <b>grande</b>")
      await page.locator('button[value="restart"]').click()
      await expect(page).toHaveURL(/done=restart/)
    })

    test(
      "a service recreated after a confirmation has new credentials",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const before = await buyForPage(page, shop)
        await page.locator('a[href*="recreate"]').click()
        await expect(page.locator('button[value="recreate"]')).toBeVisible()
        await expect(page.locator("body")).toContainText(before)
        await page.locator('button[value="recreate"]').click()
        const username = page.getByText(/^TV[0-9A-Z]{8}$/).first()
        await expect(username).toBeVisible({ timeout: 20_000 })
        await expect(page.locator("main")).not.toContainText(before)
      },
    )

    test(
      "a buyer adds connections to the service, also after leaving the payment page",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const username = await buyForPage(page, shop, { prefix: "/de-de" })
        await (await unfold(page, "[name=quantity]")).fill("2")
        await page.locator('button[value="upsell"]').click()
        await page.waitForURL((url) => url.origin === shop.sandboxUrl)
        await expect(page.locator("body")).toContainText("39,80")
        await page.goBack()
        await page.goto(`${shop.url}/checkout/de-de/waiting`)
        await page.getByRole("link", { name: "Zurück zu Ihrem Zugang" }).click()
        await expect(page.locator("main")).toContainText("noch nicht bezahlt")
        await expect(page.locator("main")).not.toContainText("bezahlt, Bestellung")
        await page.getByRole("link", { name: "Zurück zur Zahlung" }).click()
        await page.locator(`a[href^="${shop.sandboxUrl}"]`).first().click()
        await page.locator('button[value="paid"]').click()
        await expect(page).toHaveURL(/\/success$/, { timeout: 20_000 })
        await expect
          .poll(() => storedServices(shop.dataDir).find((it) => it.username === username)?.connections)
          .toBe(3)
        await expect(page.locator("main")).toContainText("3 Verbindungen", { timeout: 20_000 })
      },
    )
  })
}

test("submitting the upsell form twice creates one order", async () => {
  const email = uniqueEmail()
  const browser = new Browser({ "user-agent": BROWSER_AGENT })
  const bought = await waitForAccess(
    await payAt(await goToGateway(await chooseAndPay(browser, { shop, email }))),
  )
  const press = { button: { value: "upsell" }, fields: { quantity: "1" } }
  const [first, second] = await Promise.all([bought.submit(press), bought.submit(press)])
  expect(second.url.href).toBe(first.url.href)
  const again = await bought.submit(press)
  expect(again.url.pathname).toBe("/checkout/waiting")
  const { orders } = readStoredRows(shop.dataDir, email)
  expect(orders.filter(({ total }) => total === 19_90)).toHaveLength(1)
})

test("a player loads the playlist by its URL without a cookie, and gets 404 without the right key", async () => {
  const browser = new Browser({ "user-agent": BROWSER_AGENT })
  const bought = await waitForAccess(await payAt(await goToGateway(await chooseAndPay(browser, { shop }))))
  const address = /http:\/\/127[^\s"<]*playlist\.m3u8\?[^\s"<]*key=[\w-]+/.exec(bought.text)?.[0] ?? ""
  const response = await fetch(address)
  expect(playlistParser.parse(await response.text()).items.length).toBeGreaterThan(2)
  const wrong = address.replace(/key=(.)/, (_, first) => `key=${first === "A" ? "B" : "A"}`)
  expect((await fetch(wrong)).status).toBe(404)
  expect((await fetch(address.split("&key")[0] ?? "")).status).toBe(404)
})

test("another customer's service is treated like an unknown one by every form and page", async () => {
  const mine = new Browser({ "user-agent": BROWSER_AGENT })
  const ownOrder = new Browser({ "user-agent": BROWSER_AGENT })
  const [page, other] = await Promise.all(
    [mine, ownOrder].map(async (browser) =>
      waitForAccess(await payAt(await goToGateway(await chooseAndPay(browser, { shop })))),
    ),
  )
  const own = page && accessOn(page)?.username
  const foreignName = other && accessOn(other)?.username
  const both = () =>
    storedServices(shop.dataDir).filter(({ username }) => [own, foreignName].includes(username))
  const services = both()
  expect(services).toHaveLength(2)
  const foreign = services.find(({ username }) => username === foreignName)?.id ?? ""
  const origin = { origin: shop.url }
  for (const id of [foreign, "no-such-service"]) {
    for (const intent of ["device", "notes", "restart", "recreate", "password", "upsell"]) {
      const body = new URLSearchParams({
        intent,
        serviceid: id,
        deviceAddress: "00:1A:79:00:00:01",
        notes: "x",
        key: "k",
        password: "long enough for anybody",
        quantity: "1",
        gateway: "offshore",
      })
      const response = await mine.post(`${shop.url}/checkout/success`, { body, headers: origin })
      expect([intent, response.status]).toEqual([intent, 404])
    }
    const shown = await mine.visit(`${shop.url}/checkout/success?serviceid=${id}`)
    expect(accessOn(shown)?.username).toBe(own)
    const led = await mine.visit(`${shop.url}/checkout/success/playlist.m3u8?line=${id}`)
    expect(accessOn(led)?.username).toBe(own)
    expect((await mine.visit(`${shop.url}/checkout/api/order-status?serviceid=${id}`)).status).not.toBe(500)
  }
  expect(both()).toEqual(services)
})
