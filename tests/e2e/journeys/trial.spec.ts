import { expect, type Page, test } from "playwright/test"
import { HOUR } from "~/domain/calendar"
import { deDe } from "~/i18n/screen-texts/de-de"
import { deDe as translation } from "~/i18n/translations/de-de"
import { deDe as mailTexts } from "~/mail/messages/translations/de-de"
import { mailsTo } from "../../fixtures/mailbox"
import { offerTrial } from "../../fixtures/shop-with-trial"
import { storedTerm } from "../../fixtures/stored-terms"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop, type TestServer } from "../../support/server/server-process"
import { deep, deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async () => {
  shop = await startShop()
  await offerTrial(shop)
})
test.afterAll(() => shop.stop())
test.use({ userAgent: BROWSER_AGENT })

const { trial, place } = deDe
/** Text before the first placeholder. */
const startOf = (text: string) => text.split("{{")[0] ?? ""
const untilText = startOf(place.trialUntil)

async function admin(...args: readonly string[]): Promise<void> {
  const { exitCode, errorOutput } = await runServerCommand(["admin", ...args], { DATA_DIR: shop.dataDir })
  if (exitCode !== 0) throw new Error(`admin ${args.join(" ")}: ${errorOutput}`)
}

const trialPage = () => `${shop.url}/checkout/de-de/trial`

/** Starts the trial from the checkout. Returns the username of its login details. */
async function tryFree(page: Page, email: string): Promise<string> {
  await expect(async () => {
    await page.goto(`${shop.url}/checkout/de-de`)
    await page.getByRole("link", { name: /kostenlos testen/ }).click({ timeout: 2_000 })
  }).toPass()
  await expect(page.locator("h1")).toContainText("24")
  await expect(page).toHaveTitle(new RegExp(`^${translation.title.trial} `))
  await sendForm(page, email)
  await page.waitForURL(/\/success/)
  await expect(page.locator("main")).toContainText(/TV[0-9A-Z]{8}/, { timeout: 20_000 })
  return /TV[0-9A-Z]{8}/.exec(await page.locator("main").innerText())?.[0] ?? "no username"
}

async function sendForm(page: Page, email: string): Promise<void> {
  await page.locator("#trial-email").fill(email)
  await page.getByRole("button", { name: trial.submit }).click()
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test(
      "a visitor tries for free, is refused a second trial, and keeps the login details by paying",
      deepUnless(!javaScriptEnabled),
      async ({ page, browser }) => {
        const email = uniqueEmail("tries")
        const username = await tryFree(page, email)
        await expect(page.locator(".place")).toContainText(untilText)
        const before = storedTerm(shop.dataDir, username)

        await page.goto(trialPage())
        await sendForm(page, uniqueEmail("again"))
        await expect(page.getByRole("alert")).toContainText(trial.had)
        const other = await browser.newContext({ javaScriptEnabled, userAgent: BROWSER_AGENT })
        const elsewhere = await other.newPage()
        await elsewhere.goto(trialPage())
        await sendForm(elsewhere, email.replace("@", "+2@"))
        await expect(elsewhere.getByRole("alert")).toContainText(trial.notAgain)
        await expect(elsewhere.locator("#trial-email")).toHaveValue(email.replace("@", "+2@"))
        await other.close()

        await page.goto(`${shop.url}/checkout/de-de/success?services&renew#renewal`)
        await expect(page.locator("#renewal")).toContainText(startOf(trial.kept))
        await page.locator('button[value="renew"]').click()
        await page.waitForURL((url) => url.origin === shop.sandboxUrl)
        await page.locator('button[value="paid"]').click()
        await page.waitForURL(/\/success/, { timeout: 20_000 })
        await expect(page.locator(".place")).not.toContainText(untilText, { timeout: 20_000 })
        const after = storedTerm(shop.dataDir, username)
        expect(after).toMatchObject({ id: before.id, password: before.password, status: "Active" })
        expect(after.paid_until).toBeGreaterThan(before.paid_until + 27 * 24 * HOUR)
      },
    )
  })
}

test(
  "the day after, a trial that nobody pays has been reminded of once and is paused",
  deep,
  async ({ page }) => {
    const email = uniqueEmail("forgets")
    const username = await tryFree(page, email)
    const mailsAbout = async (subject: string) =>
      (await mailsTo(shop, email)).filter((it) => it.subject.startsWith(startOf(subject)))
    await admin("clock", "advance", "20h")
    const soon = { timeout: 90_000 }
    await expect.poll(() => mailsAbout(mailTexts.end.trial.ahead.subject), soon).toHaveLength(1)
    await admin("clock", "advance", "5h")
    await expect.poll(() => storedTerm(shop.dataDir, username).status, soon).toBe("Suspended")
    await expect.poll(() => mailsAbout(mailTexts.end.trial.over.subject), soon).toHaveLength(1)
    expect(await mailsAbout(mailTexts.end.trial.ahead.subject)).toHaveLength(1)
    await page.goto(`${shop.url}/checkout/de-de/success?services`)
    await expect(page.locator("#renewal")).toContainText(startOf(trial.resumed))
  },
)
