import { expect, type Page } from "playwright/test"
import { chooseAndPay, goToGateway, payAt } from "../../fixtures/no-script-purchase"
import { operatorPage } from "../../fixtures/signed-in-operator"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { accessibilityViolations } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep } from "../tags"

const UPDATED_EVERY = 15_000

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const heading = (desk: Page) => desk.getByRole("heading", { level: 1 })

/** Reads the page again, as if its time had come, until it shows what has happened. */
async function shownInTime(desk: Page, isShown: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await desk.clock.runFor(UPDATED_EVERY)
    await isShown()
  }).toPass({ timeout: 30_000 })
}

test(
  "an operator goes through the console by keyboard, and switches the shortcuts off",
  deep,
  async ({ browser }) => {
    const desk = await operatorPage(browser, shop, { javaScriptEnabled: true })
    const listOpener = desk.getByRole("button", { name: "Keyboard shortcuts" })
    await expect(listOpener).toBeVisible()
    await desk.keyboard.press("/")
    const anywhere = desk.getByRole("searchbox", { name: "Search from any page" })
    await expect(anywhere).toBeFocused()
    await anywhere.blur()
    await desk.keyboard.press("g")
    await desk.keyboard.press("o")
    await expect(heading(desk)).toHaveText("Orders")
    await expect(listOpener).toBeVisible()
    await desk.keyboard.press("/")
    const search = desk.getByRole("searchbox", { name: "Find an order" })
    await expect(search).toBeFocused()
    await desk.keyboard.type("go?")
    await expect(search).toHaveValue("go?")
    await expect(heading(desk)).toHaveText("Orders")
    await search.blur()

    await desk.keyboard.press("?")
    const list = desk.getByRole("dialog", { name: "Keyboard shortcuts" })
    await expect(list).toBeVisible()
    expect(await accessibilityViolations(desk)).toEqual([])
    await list.getByLabel("Use them in this browser").uncheck()
    await list.getByRole("button", { name: "Close" }).click()
    await expect(list).toBeHidden()
    await desk.keyboard.press("g")
    await desk.keyboard.press("c")
    await desk.reload()
    await expect(listOpener).toBeVisible()
    await desk.keyboard.press("?")
    await expect(list).toBeHidden()
    await expect(heading(desk)).toHaveText("Orders")

    await listOpener.click()
    await list.getByLabel("Use them in this browser").check()
    await desk.keyboard.press("Escape")
    await desk.keyboard.press("g")
    await desk.keyboard.press("c")
    await expect(heading(desk)).toHaveText("Customers")
  },
)

test("without JavaScript the console offers no shortcuts", async ({ browser }) => {
  const desk = await operatorPage(browser, shop, { javaScriptEnabled: false })
  await expect(heading(desk)).toHaveText("Overview")
  await expect(desk.getByRole("button", { name: "Keyboard shortcuts" })).toBeHidden()
})

test(
  "the overview shows what comes to need a person, and an open order says that it has changed",
  deep,
  async ({ browser }) => {
    const email = uniqueEmail()
    const buyer = new Browser()
    const payment = await goToGateway(await chooseAndPay(buyer, { shop, email }))
    const number = readStoredRows(shop.dataDir, email).orders[0]?.id ?? "no order"

    const desk = await operatorPage(browser, shop, { javaScriptEnabled: true })
    await desk.clock.install()
    await desk.goto(`${shop.url}/checkout/admin/orders/${number}`)
    const changed = desk.getByText("This order has changed since you opened the page.")
    await expect(changed).toBeHidden()
    await payAt(payment)
    await shownInTime(desk, () => expect(changed).toBeVisible({ timeout: 1_000 }))
    await desk.getByRole("link", { name: "Look again" }).click()
    await expect(desk.locator(".timeline")).toContainText("Payment received")
    await expect(changed).toBeHidden()

    await desk.goto(`${shop.url}/checkout/admin`)
    const needs = desk.locator('[data-live="needs"]')
    await expect(needs).not.toContainText(email)
    const orders = desk.locator('[data-live="figures"]')
    const before = await orders.innerText()
    await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop })))
    await shownInTime(desk, async () => expect(await orders.innerText()).not.toBe(before))
  },
)
