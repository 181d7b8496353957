import { readFile } from "node:fs/promises"
import { expect, type Page } from "playwright/test"
import { deDe as deDeLines } from "~/i18n/screen-texts/de-de"
import { enEn as enEnLines } from "~/i18n/screen-texts/en-en"
import { esEs as esEsLines } from "~/i18n/screen-texts/es-es"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { esEs } from "~/i18n/translations/es-es"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, payOn, signInByPassword } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { test } from "../shop-test"
import { isEmbedded, type TestServer } from "../start-shop"
import { deepUnless } from "../tags"

const PASSWORD = "correct horse battery staple"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const visitors = [
  { javaScriptEnabled: true, prefix: "", translation: enEn, lines: enEnLines.lines, locale: "en-US" },
  { javaScriptEnabled: false, prefix: "/de-de", translation: deDe, lines: deDeLines.lines, locale: "de-DE" },
  { javaScriptEnabled: true, prefix: "/es-es", translation: esEs, lines: esEsLines.lines, locale: "es-ES" },
]

for (const { javaScriptEnabled, prefix, translation, lines, locale } of visitors) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript in ${locale}`, () => {
    test.use({ javaScriptEnabled, locale, userAgent: BROWSER_AGENT })
    const details = deepUnless(prefix === "")
    test(
      "a new reseller buys a plan, creates a line and orders again as an existing reseller",
      details,
      async ({ page, browser }) => {
        const email = uniqueEmail("reseller")
        await page.goto(`${shop.url}/checkout${prefix || "/"}`)
        await page.getByRole("link", { name: translation.frame.resellers }).click()
        await expect(page).toHaveURL(`${shop.url}/checkout${prefix}/resellers`)
        await expect(page.locator("label.plan .tab")).toHaveText(translation.checkout.plan.best)
        await expect(page.locator('input[name="plan"][value="12"]')).toBeChecked()
        await page.locator("[name=email]").fill(email)
        await page.locator("[name=newPassword]").fill(PASSWORD)
        await page.locator("[name=confirmPassword]").fill(`${PASSWORD}!`)
        await page.locator('button.main[value="pay"]:visible').first().click()
        await expect(page.locator("#order-confirmPassword-error")).toHaveText(translation.resellers.notSame)
        await page.locator("[name=newPassword]").fill(PASSWORD)
        await page.locator("[name=confirmPassword]").fill(PASSWORD)
        await payOn(page, shop)

        const otherDevice = await page.context().newPage()
        await otherDevice.goto(`${shop.url}/checkout${prefix}/resellers`)
        await expect(otherDevice).toHaveURL(`${shop.url}/checkout${prefix}/resellers/waiting?open`)
        await expect(otherDevice.locator("main")).toContainText(translation.waiting.leadReseller)
        await otherDevice.close()

        const account = { address: `${shop.url}/checkout${prefix}/resellers/success` }
        await payAndSeeAccount(page, { ...account, heading: translation.resellers.success.heading })
        await expect(page.locator(".credit")).toContainText("25")
        const accountName = (await page.locator(".access code").first().textContent()) ?? ""
        expect(accountName).toMatch(/^TV\w{8}$/)

        await page.locator("[name=notes]").fill("Leo, living room")
        await page.locator("#line button.main").click()
        await expect(page.locator("main .notice")).toHaveText(translation.resellers.line.made)
        await expect(page.locator(".credit")).toContainText("24")
        const line = page.locator(".line-row a", { hasText: "Leo, living room" })
        await expect(async () => {
          await page.reload()
          await expect(line).toContainText(translation.success.status.Active, { timeout: 500 })
        }).toPass()
        // The term of a line in an external billing system is not the shop's, which neither extends nor cancels it.
        if (isEmbedded()) await extendAndCancelLines(page, lines)
        else await expect(page.locator(".made-lines").getByRole("checkbox")).toHaveCount(0)
        await tellAndSearch(page, { lines, prefix, hasScript: javaScriptEnabled })
        await line.click()
        await expect(page).toHaveURL(`${shop.url}/checkout${prefix}/success`)
        await expect(page.locator("code").first()).toHaveText(/^TV\w{8}$/)

        const later = await browser.newContext({ javaScriptEnabled, locale, userAgent: BROWSER_AGENT })
        const back = await later.newPage()
        await back.goto(`${shop.url}/checkout${prefix}/resellers`)
        await back.locator('input[name="existing"][value="yes"]').check({ force: true })
        await expect(back.locator("[name=newPassword]")).toBeHidden()
        await back.locator("[name=email]").fill(email)
        await back.locator("[name=password]").fill("not the password")
        await back.locator('button.main[value="pay"]:visible').first().click()
        await expect(back.getByText(translation.resellers.wrongPassword)).toHaveCount(1)
        await expect(back.locator("[name=email]")).toHaveValue(email)
        await expect(back.locator('input[name="existing"][value="yes"]')).toBeChecked()
        await back.locator("[name=password]").fill(PASSWORD)
        await payOn(back, shop)
        await payAndSeeAccount(back, { ...account, heading: translation.title.resellerSuccess })
        await expect(back.locator(".credit")).toContainText(String(creditsLeft()))
        // An external billing system makes a service of each order.
        if (isEmbedded()) await expect(back.locator(".access code").first()).toHaveText(accountName)
        await later.close()

        const signedIn = await browser.newContext({ javaScriptEnabled, locale, userAgent: BROWSER_AGENT })
        const accountPage = await signedIn.newPage()
        await accountPage.goto(`${shop.url}/checkout${prefix || "/"}?signin`)
        await signInByPassword(accountPage, { email, password: PASSWORD })
        await expect(accountPage).toHaveURL(`${shop.url}/checkout${prefix}/resellers/success`)
        await expect(accountPage.locator(".line-row a", { hasText: "Leo, living room" })).toBeVisible()
        await accountPage.goto(`${shop.url}/checkout${prefix}/resellers`)
        await accountPage.getByRole("link", { name: translation.resellers.account.mine }).click()
        await expect(accountPage.locator("h1")).toHaveText(translation.title.resellerSuccess)
        await signedIn.close()

        const { output } = await runServerCommand(["admin", "resellers", "list"], { DATA_DIR: shop.dataDir })
        expect(output).toMatch(new RegExp(` ${isEmbedded() ? 1 : 2} +${creditsLeft()} +${email}`))
      },
    )
  })
}

/** Credits of two plans after one line, or after another month of it too. */
function creditsLeft(): number {
  return isEmbedded() ? 48 : 49
}

type Told = { lines: (typeof visitors)[number]["lines"]; prefix: string; hasScript: boolean }

/** Copies the message for the line's customer, finds the line by a part of the name, and downloads lines and statement. */
async function tellAndSearch(page: Page, { lines, prefix, hasScript }: Told): Promise<void> {
  await page.locator(".line-acts").getByRole("link", { name: lines.message.open }).first().click()
  const message = page.locator("#message")
  await expect(message.locator("textarea")).toHaveValue(/Leo, living room[\s\S]*TV\w{8}/)
  await message.getByRole("link", { name: "Português" }).click()
  await expect(message.locator("textarea")).toHaveValue(/^Olá, Leo, living room!/)
  const copy = message.getByRole("button")
  if (hasScript) {
    // A browser with a window grants it to the tab in front.
    await page.context().grantPermissions(["clipboard-write"])
    await copy.click()
    await expect(copy).toHaveText(lines.message.copied)
  } else await expect(copy).toHaveCount(0)

  const search = page.getByRole("searchbox", { name: lines.search })
  await search.fill("nobody")
  await search.press("Enter")
  await expect(page.locator(".line-list")).toContainText(lines.empty)
  await search.fill("LIVING")
  await search.press("Enter")
  await expect(page.locator(".line-row")).toHaveText([/Leo/])

  const download = page.waitForEvent("download")
  await page.getByRole("link", { name: lines.file.download }).click()
  expect(await readFile(await (await download).path(), "utf8")).toMatch(
    /^"?Leo, living room"?[,;]TV\w{8}[,;]/m,
  )
  const statement = await page.request.get(`${shop.url}/checkout${prefix}/resellers/statement.csv`)
  expect(await statement.text()).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d[,;][^,;]+[,;]25[,;]/)
}

/** Extends the reseller's line, and creates and cancels another one. */
async function extendAndCancelLines(page: Page, lines: (typeof visitors)[number]["lines"]): Promise<void> {
  await page.locator(".line-row", { hasText: "Leo, living room" }).getByRole("checkbox").check()
  await page.getByRole("button", { name: lines.extend }).click()
  await expect(page.locator(".line-list").getByRole("status")).toHaveText(
    lines.extended_one.replace("{{names}}", "Leo, living room"),
  )
  await expect(page.locator(".credit")).toContainText("23")
  await expect(page.locator(".line-list details")).toHaveCount(0)

  await page.locator("[name=notes]").fill("Mia")
  await page.locator(".line-form button").click()
  await expect(page.locator(".credit")).toContainText("22")
  const unused = page.locator(".made-lines li", { hasText: "Mia" })
  await expect(async () => {
    await page.reload()
    await unused.locator("summary").click({ timeout: 500 })
  }).toPass()
  const otherTab = await page.context().newPage()
  await otherTab.goto(page.url())
  const there = otherTab.locator(".made-lines li", { hasText: "Mia" })
  await there.locator("summary").click()
  await there.getByRole("button", { name: lines.cancelConfirm }).click()
  await expect(otherTab.locator(".line-list").getByRole("status")).toHaveText(lines.cancelled)
  await expect(otherTab.locator(".credit")).toContainText("23")
  await otherTab.close()
  // This tab still offers it: what is refused shows the present credits and lines.
  await unused.getByRole("button", { name: lines.cancelConfirm }).click()
  await expect(page.locator(".line-list").getByRole("alert")).toHaveText(lines.notCancelled)
  await expect(page.locator(".credit")).toContainText("23")
  await expect(unused.locator("summary")).toHaveCount(0)
  await page.locator(".line-list nav").getByRole("link", { name: lines.filter.ended }).click()
  await expect(page.locator(".made-lines li")).toHaveText([/Mia/])
  await page.locator(".line-list nav").getByRole("link", { name: lines.filter.all }).click()
  await expect(page.locator(".made-lines li")).toHaveText([/Leo/, /Mia/])
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, userAgent: BROWSER_AGENT })

  test("account type, plan and email survive an update of the total", async ({ page }) => {
    const email = uniqueEmail()
    await page.goto(`${shop.url}/checkout/resellers`)
    await page.locator('input[name="existing"][value="yes"]').check({ force: true })
    await page.locator('input[name="plan"][value="13"]').check({ force: true })
    await page.locator("[name=email]").fill(email)
    await page.locator("[name=password]").fill(PASSWORD)
    await page.locator('button[value="update"]').click()
    await expect(page.locator(".summary")).toContainText("€379.00")
    await expect(page.locator('input[name="existing"][value="yes"]')).toBeChecked()
    await expect(page.locator("[name=email]")).toHaveValue(email)
    await expect(page.locator("[name=password]")).toHaveValue("")
    expect(page.url()).not.toContain("example.test")
  })
})

test("the log contains no password and no email of a reseller", () => {
  expect(shop.output()).not.toMatch(/horse|example\.test/)
})

type Account = { readonly address: string; readonly heading: string }

/** Pays at the sandbox and expects the page of the reseller account. */
async function payAndSeeAccount(page: Page, { address, heading }: Account): Promise<void> {
  await page.locator('button[value="paid"]').click()
  await expect(page).toHaveURL(address, { timeout: 20_000 })
  await expect(page.locator("h1")).toHaveText(heading, { timeout: 20_000 })
  await expect(page.locator("main")).toContainText(/https?:\/\/panel\.example\./)
}
