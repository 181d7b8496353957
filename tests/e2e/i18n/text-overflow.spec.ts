import { expect, type Page } from "playwright/test"
import { locales } from "~/domain/locales"
import { type ShopAndGateway, startShopWithUnreliableGateway } from "../../fakes/faulty-gateway"
import { openSandboxPayment } from "../../fixtures/sandbox-payment"
import { offerTrial } from "../../fixtures/shop-with-trial"
import { signInLink } from "../../fixtures/sign-in-link"
import {
  BROWSER_AGENT,
  openPasswordForm,
  orderOn,
  payAndSeeAccess,
  payOn,
  unfold,
} from "../../support/browser/page-actions"
import { expectTextToFit, overflowsOn } from "../../support/browser/text-overflow"
import { runServerCommand } from "../../support/server/run-server-command"
import { test } from "../shop-test"
import { deep } from "../tags"

const fits = "every text fits a phone screen in all languages except English"
const PASSWORD = "correct horse battery staple"
/** English texts are the shortest: a layout that fits all other languages fits English. */
const wordy = locales.filter(({ iso }) => !iso.startsWith("en"))
/** Longer than most email addresses, so that a fit does not depend on a short one. */
const EMAIL = "maximiliana.hohenzollern@example.test"

let running: ShopAndGateway
test.beforeAll(async () => {
  running = await startShopWithUnreliableGateway({ TRUSTED_PROXIES: "loopback" })
  await runServerCommand(["admin", "blocks", "add", "203.0.113.0/24"], { DATA_DIR: running.shop.dataDir })
})
test.afterAll(() => running.stop())
test.use({ userAgent: BROWSER_AGENT })
test.setTimeout(400_000)

test(`${fits}: pages of a new visitor`, async ({ page }) => {
  for (const path of ["/", "/resellers", "/success", "/?signin", "/nothing"]) await fitsEverywhere(page, path)
})

test("at 200 % zoom on a phone, the rows of plans and the lines of the order wrap", async ({ page }) => {
  await page.setViewportSize({ width: 180, height: 370 })
  await inEveryLanguage(async (prefix, name) => {
    await page.goto(address(prefix, "/"))
    // A placeholder cannot wrap.
    await page.locator("[placeholder]").evaluateAll((fields) => {
      for (const it of fields) it.removeAttribute("placeholder")
    })
    expect([...(await pricesBesideNames(page)), ...(await overflowsOn(page))], name).toEqual([])
  })
})

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false })

  test(`${fits}: forms with invalid input`, deep, async ({ page }) => {
    await inEveryLanguage(async (prefix, name) => {
      await page.goto(address(prefix, "/?promocode=NOPE"))
      await page.locator("[name=email]").fill("nobody")
      await send(page, 'button.main[value="pay"]')
      await page.locator(".problem, .problems").first().waitFor()
      await expectTextToFit(page, `rejected checkout in ${name}`)
      await page.goto(address(prefix, "/resellers"))
      await page.locator("[name=newPassword]").fill("short")
      await send(page, 'button.main[value="pay"]')
      await page.locator(".problem, .problems").first().waitFor()
      await expectTextToFit(page, `rejected reseller sign-up in ${name}`)
      await page.goto(address(prefix, "/?signin=email"))
      await (await openPasswordForm(page)).locator("[name=email]").fill(EMAIL)
      await send(page, 'button[value="sign-in"]')
      await page.locator(".problem, .problems").first().waitFor()
      await expectTextToFit(page, `rejected sign-in in ${name}`)
      await page.locator("#sign-in-mail-email").fill(`in${prefix.replace("/", "-")}@example.test`)
      await send(page, 'button[value="sign-in-mail"]')
      await page.locator("[name=code]").fill("12345")
      await send(page, 'button[value="sign-in-code"]')
      await page.locator(".problem").first().waitFor()
      await expectTextToFit(page, `rejected code in ${name}`)
    })
  })

  test(`${fits}: review step, and unavailable gateway`, deep, async ({ page }) => {
    await page.goto(address("", "/"))
    await page.locator("[name=email]").fill(EMAIL)
    await send(page, 'button.main[value="pay"]')
    await fitsEverywhere(page, "/creatingOrder")
    await inEveryLanguage(async (prefix, name) => {
      await page.goto(address(prefix, "/creatingOrder"))
      await page.locator('input[name="total"]').evaluate((it) => it.setAttribute("value", "1"))
      await page.locator('form:has(input[name="draft"]) button').click()
      await expectTextToFit(page, `changed price in ${name}`)
    })
    running.gateway.set("refuse")
    await page.locator('form:has(input[name="draft"]) button').click()
    running.gateway.set("pass")
    await expectTextToFit(page, "unavailable gateway")
    await fitsEverywhere(page, "/creatingOrder")
  })
})

test(`${fits}: waiting page`, deep, async ({ page }) => {
  await orderOn(page, running.shop, { email: EMAIL })
  const gateway = page.url()
  for (const path of ["/waiting", "/waiting?edit", "/waiting?gateway", "/waiting?abort"])
    await fitsEverywhere(page, path)
  await page.goto(gateway)
  await page.locator('button[value="less"]').click()
  await page.locator(".timeline li", { hasText: "Partial payment" }).waitFor({ timeout: 20_000 })
  await fitsEverywhere(page, "/waiting")
})

test(`${fits}: service page, its questions and a rejected device`, deep, async ({ page }) => {
  await orderOn(page, running.shop, { email: `b.${EMAIL}` })
  await payAndSeeAccess(page)
  for (const path of [
    "/success",
    "/success?recreate",
    "/success?plan",
    "/success?plan=1.monthly",
    "/success?plan=3.annually",
  ])
    await fitsEverywhere(page, path)
  await inEveryLanguage(async (prefix, name) => {
    await page.goto(address(prefix, "/success"))
    await (await unfold(page, "[name=deviceAddress]")).fill("no address")
    await send(page, 'button[value="device"]')
    await page.locator("#device-deviceAddress-error").waitFor()
    await expectTextToFit(page, `rejected device in ${name}`)
  })
})

test("the header of a signed-in buyer is one row on a phone in every language", deep, async ({ page }) => {
  const email = `h.${EMAIL}`
  await orderOn(page, running.shop, { email })
  await payAndSeeAccess(page)
  await page.goto(signInLink(running.shop, email))
  await page.setViewportSize({ width: 360, height: 740 })
  const wrapped: string[] = []
  for (const { prefix, name } of locales) {
    for (const path of ["/", "/success"]) {
      await page.goto(address(prefix, path))
      const controls = page
        .locator(".top")
        .locator("a, summary, button:not(.hidden)")
        .filter({ visible: true })
      await expect(controls).toHaveCount(4)
      const [first, ...others] = await controls.evaluateAll((them) =>
        them.map((it) => it.getBoundingClientRect()),
      )
      if (others.some(({ top }) => top >= (first?.bottom ?? 0))) wrapped.push(`${path} in ${name}`)
    }
  }
  expect(wrapped).toEqual([])
})

test(`${fits}: free trial`, deep, async ({ page }) => {
  await offerTrial(running.shop)
  await expect(async () => {
    await page.goto(address("", "/trial"))
    await expect(page.locator("#trial-email")).toBeVisible({ timeout: 500 })
  }).toPass()
  await fitsEverywhere(page, "/trial")
})

test(`${fits}: reseller pages`, deep, async ({ page }) => {
  await page.goto(address("", "/resellers"))
  await page.locator("[name=email]").fill(`r.${EMAIL}`)
  await page.locator("[name=newPassword]").fill(PASSWORD)
  await page.locator("[name=confirmPassword]").fill(PASSWORD)
  await payOn(page, running.shop)
  const gateway = page.url()
  await fitsEverywhere(page, "/resellers/waiting")
  await page.goto(gateway)
  await page.locator('button[value="paid"]').click()
  await page
    .getByText(/^TV[0-9A-Z]{8}$/)
    .first()
    .waitFor({ timeout: 20_000 })
  for (const path of ["/resellers/success", "/resellers"]) await fitsEverywhere(page, path)
  const upsell = await page
    .goto(address("", "/resellers/success"))
    .then(() => page.locator('a[href*="/upsell"]'))
  const link = (await upsell.getAttribute("href"))?.replace("/checkout", "") ?? ""
  await fitsEverywhere(page, link)
})

test.describe("for a blocked visitor", () => {
  test.use({ extraHTTPHeaders: { "x-forwarded-for": "203.0.113.5" } })

  test(fits, deep, async ({ page }) => {
    await page.goto(address("", "/"))
    await page.locator("[name=email]").fill(EMAIL)
    const refused = page.waitForResponse((it) => it.status() === 403)
    await page.locator('button.main[value="pay"]:visible').first().click()
    await refused
    await page.locator(".reference code").waitFor()
    await fitsEverywhere(page, "/creatingOrder")
  })
})

test(`${fits}: error responses, and pages outside the shop`, deep, async ({ page }) => {
  await inEveryLanguage(async (prefix, name, iso) => {
    await page.setExtraHTTPHeaders({ "accept-language": iso })
    for (const beside of [`${running.shop.url}/nothing`, `${running.shop.sandboxUrl}/`]) {
      await page.goto(beside)
      await expectTextToFit(page, `${beside} in ${name}`)
    }
    for (const [kind, request] of Object.entries(rejections)) {
      await page.goto(address(prefix, "/"))
      const response = await page.request.post(address(prefix, "/"), request)
      await page.setContent(await response.text())
      await expectTextToFit(page, `${kind} in ${name}`)
    }
    await page.goto(await openSandboxPayment(running.shop, iso))
    await expectTextToFit(page, `the pay page in ${name}`)
  })
})

const rejections = {
  "a form from another site": { headers: { origin: "https://evil.example" }, form: { plan: "1" } },
  "a form above the size limit": { form: { email: "a".repeat(100_000) } },
}

/** The rows of plans whose price is not below the name. */
function pricesBesideNames(page: Page): Promise<string[]> {
  return page.locator(".plan").evaluateAll((plans) =>
    plans.flatMap((it) => {
      const name = it.querySelector(".plan-name")?.getBoundingClientRect()
      const price = it.querySelector(".plan-price")?.getBoundingClientRect()
      return name && price && price.top >= name.bottom ? [] : [it.textContent]
    }),
  )
}

async function fitsEverywhere(page: Page, path: string): Promise<void> {
  await inEveryLanguage(async (prefix, name) => {
    await page.goto(address(prefix, path))
    await expectTextToFit(page, `${path} in ${name}`)
  })
}

async function inEveryLanguage(look: (prefix: string, name: string, iso: string) => Promise<void>) {
  for (const { prefix, name, iso } of wordy) await look(prefix, name, iso)
}

function address(prefix: string, path: string): string {
  return `${running.shop.url}/checkout${prefix}${prefix && path.startsWith("/?") ? path.slice(1) : path}`
}

/** Clicks a button with the browser's form validation switched off. */
async function send(page: Page, button: string): Promise<void> {
  const shown = page.locator(`${button}:visible`).first()
  await shown.evaluate((it) => it.closest("form")?.setAttribute("novalidate", ""))
  await shown.click()
}
