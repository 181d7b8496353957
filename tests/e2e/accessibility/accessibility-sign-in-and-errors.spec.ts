import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { PANEL_SECRET, startPanel } from "../../fakes/fake-panel"
import { startShopWithUnreliableGateway } from "../../fakes/faulty-gateway"
import { uniqueEmail } from "../../fixtures/unique-email"
import { accessibilityViolations, expectAccessible } from "../../support/browser/accessibility-checks"
import { BROWSER_AGENT, orderOn, signInByPassword } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { trusted } from "../shop-settings"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deep } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop(trusted)
})
test.use({ userAgent: BROWSER_AGENT })
test.setTimeout(400_000)

test(
  "the accessibility check finds a field that is too small, too faint or too wide",
  deep,
  async ({ page }) => {
    await page.goto(`${shop.url}/checkout/nowhere`)
    await page.locator("main").evaluate((main) => {
      const field = document.createElement("input")
      field.style.cssText = "width: 900px; height: 20px; min-height: 0; color: #888"
      main.append(field)
    })
    const found = (await accessibilityViolations(page)).join("\n")
    for (const fault of [
      "wide, light: label",
      "phone, dark: label",
      "too small to hit",
      "sideways at 320 px",
    ]) {
      expect(found).toContain(fault)
    }
  },
)

test(
  "sign-in screen has no accessibility violations (initial, wrong password, rate-limited)",
  deep,
  async ({ page }) => {
    await page.goto(`${shop.url}/checkout/?signin`)
    await expectAccessible(page, "signing in")
    // Clients at a loopback address are counted by a cookie, which the response to the first attempt sets.
    const email = uniqueEmail()
    for (let attempts = 0; attempts < 8; attempts++) {
      await signInByPassword(page, { email, password: "wrong horse" })
      await expect(page.getByRole("alert").first()).toBeVisible()
      if (attempts === 0) await expectAccessible(page, "a wrong password")
    }
    await expect(page.getByRole("alert")).toContainText(enEn.signIn.tooMany.split("{{")[0] ?? "")
    await expectAccessible(page, "sign-in, rate-limited")
    await page.goto(`${shop.url}/checkout/success`)
    await expectAccessible(page, "page that requires a signed-in customer")
    await page.locator("#sign-in-mail-email").fill(email)
    await page.locator('button[value="sign-in-mail"]').click()
    await expectAccessible(page, "code of a sign-in message")
    await page.locator("[name=code]").fill("12345")
    await page.locator('button[value="sign-in-code"]').click()
    await expect(page.locator(".problem")).toHaveText(enEn.signIn.code.invalid)
    await expectAccessible(page, "rejected code of a sign-in message")
  },
)

test("error pages and the fraud page have no accessibility violations", deep, async ({ page }) => {
  await page.goto(`${shop.url}/checkout/nowhere`)
  await expectAccessible(page, "unknown page")
  await page.goto(`${shop.sandboxUrl}/offshore/pay/nowhere`)
  await expectAccessible(page, "unknown payment")
  await runServerCommand(["admin", "blocks", "add", "203.0.113.0/24"], { DATA_DIR: shop.dataDir })
  await page.setExtraHTTPHeaders({ "x-forwarded-for": "203.0.113.5" })
  await page.goto(`${shop.url}/checkout/`)
  await page.locator("[name=email]").fill(uniqueEmail())
  await page.locator('button.main[value="pay"]:visible').first().click()
  await expect(page.locator(".reference code")).toBeVisible()
  await expectAccessible(page, "order flagged as fraud")
})

test("the price change page has no accessibility violations", deep, async ({ page }) => {
  const own = await startShop()
  const file = join(own.dataDir, "prices.json")
  const admin = (...args: string[]) => runServerCommand(["admin", ...args], { DATA_DIR: own.dataDir })
  try {
    await page.goto(`${own.url}/checkout/`)
    await page.locator("[name=email]").fill("ana@example.test")
    await admin("catalogue", "export", file)
    writeFileSync(file, readFileSync(file, "utf8").replace('"79.00"', '"99.00"'))
    await admin("catalogue", "import", file)
    await page.locator('button.main[value="pay"]:visible').first().click()
    await expect(page.getByRole("alert")).toHaveText(enEn.review["price-changed"])
    await expectAccessible(page, "increased price")
  } finally {
    await own.stop()
  }
})

test(
  "the checkout has no accessibility violations when the gateway is unavailable",
  deep,
  async ({ page }) => {
    const running = await startShopWithUnreliableGateway()
    try {
      await page.goto(`${running.shop.url}/checkout/`)
      running.gateway.set("refuse")
      await page.locator("[name=email]").fill("unlucky@example.test")
      await page.locator('button.main[value="pay"]:visible').first().click()
      await expect(page.getByRole("alert")).toBeVisible()
      await expectAccessible(page, "payment that could not be created")
    } finally {
      await running.stop()
    }
  },
)

test(
  "the service page has no accessibility violations while the service is being provisioned",
  deep,
  async ({ page }) => {
    const panel = await startPanel()
    const settings = { PROVISIONER: "webhook", PROVISIONER_URL: panel.url, PROVISIONER_SECRET: PANEL_SECRET }
    const own = await startShop({ env: settings })
    try {
      panel.break(true)
      await orderOn(page, own, { email: "panel@example.test" })
      await page.locator('button[value="paid"]').click()
      await expect(page.locator("h1")).toHaveText(enEn.success.preparing, { timeout: 20_000 })
      await expectAccessible(page, "service being provisioned")
    } finally {
      await own.stop()
      await panel.stop()
    }
  },
)
