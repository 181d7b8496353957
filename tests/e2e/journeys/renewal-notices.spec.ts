import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, type Page, test } from "playwright/test"
import { DAY, dayIn } from "~/domain/calendar"
import { enEn } from "~/i18n/screen-texts/en-en"
import { enEn as mailTexts } from "~/mail/messages/translations/en-en"
import { mailsTo } from "../../fixtures/mailbox"
import { accessOn, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { giveSession } from "../../fixtures/purchase-for-page"
import { storedTerm } from "../../fixtures/stored-terms"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT, scriptRuns, unfold } from "../../support/browser/page-actions"
import type { HtmlPage } from "../../support/html/html-page"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop, type TestServer } from "../../support/server/server-process"
import { deep, deepUnless } from "../tags"

let shop: TestServer
test.beforeEach(async () => {
  shop = await startShop()
})
test.afterEach(() => shop.stop())
test.use({ userAgent: BROWSER_AGENT })

/** The first pass after the clock was moved may wait for its turn. */
const SOON = { timeout: 90_000 }
/** Text before the first placeholder. */
const startOf = (text: string) => text.split("{{")[0] ?? ""

/** Runs an operator's command. */
async function admin(...args: readonly string[]): Promise<string> {
  const { exitCode, output, errorOutput } = await runServerCommand(["admin", ...args], {
    DATA_DIR: shop.dataDir,
  })
  if (exitCode !== 0) throw new Error(`admin ${args.join(" ")}: ${errorOutput}`)
  return output
}

type Customer = { readonly browser: Browser; readonly email: string; readonly username: string }

async function customer(): Promise<Customer> {
  const browser = new Browser({ "user-agent": BROWSER_AGENT })
  const email = uniqueEmail("noticed")
  const form = await browser.visit(`${shop.url}/checkout/`)
  const fields = { plan: "1", email, gateway: "offshore" }
  const review = await form.submit({ button: { value: "pay" }, fields })
  const page = await waitForAccess(await payAt(await goToGateway(review)))
  return { browser, email, username: accessOn(page)?.username ?? "no username" }
}

/** Waits for a message with this start of its subject. */
async function mailOf(email: string, subject: string): Promise<string> {
  const found = async () => (await mailsTo(shop, email)).find((it) => it.subject.startsWith(subject))
  await expect.poll(found, SOON).toBeDefined()
  return (await found())?.text ?? ""
}

/** The renewal link of a message: it needs no session, whatever the shop's time. */
function linkIn(text: string): string {
  return /https?:\S+[?]renewal=[\w.-]+/.exec(text)?.[0] ?? "no link"
}

const renew = (page: HtmlPage, gateway = "offshore") =>
  page.submit({ button: { value: "renew" }, fields: { cycles: "1", gateway } })

async function announcePrice(): Promise<{ from: string }> {
  const from = dayIn("UTC", Date.now() + 45 * DAY)
  const move = ["--product", "1", "--currency", "EUR", "--from", from, "--reason", "costs"]
  await admin("services", "move-price", "--price", "15.00", ...move, "--confirm")
  return { from }
}

test("without JavaScript an announced price is said by mail and page, and counts from its day on", async () => {
  const noticed = await customer()
  await announcePrice()
  const mail = await mailOf(noticed.email, "New price for 1 month")
  expect(mail).toContain("€15.00")
  const link = linkIn(mail)
  const before = await noticed.browser.visit(link)
  expect(before.text).toContain(startOf(enEn.renewal.announced))
  const first = await renew(before)
  expect(first.text).toContain("€12.00")
  await payAt(first)
  const { paid_until: until } = storedTerm(shop.dataDir, noticed.username)

  await admin("clock", "advance", "56d")
  const reminder = await mailOf(noticed.email, "1 month is paid until")
  const after = await noticed.browser.visit(linkIn(reminder))
  expect(after.text).not.toContain(startOf(enEn.renewal.announced))
  const second = await renew(after)
  expect(second.text).toContain("€15.00")
  await payAt(second)
  expect(storedTerm(shop.dataDir, noticed.username).paid_until).toBeGreaterThan(until + 27 * DAY)
})

test(
  "with JavaScript the total adds both prices up, and a price that is taken back is not announced",
  deep,
  async ({ page }) => {
    const { browser } = await customer()
    const { from } = await announcePrice()
    await giveSession(page, shop, browser)
    await page.goto(`${shop.url}/checkout/success?services`)
    await choose(page, 3)
    await expect(page.locator("#renewal")).toContainText("€15.00")
    await expect(page.locator("#renewal .total output")).toHaveText("€42.00")

    const kept = ["--product", "1", "--currency", "EUR", "--from", from, "--reason", "mistake"]
    expect(await admin("services", "keep-price", ...kept)).toContain("The price is kept for 1 service.")
    await page.reload()
    await choose(page, 3)
    await expect(page.locator("#renewal .total output")).toHaveText("€36.00")
    await expect(page.locator("#renewal")).not.toContainText(startOf(enEn.renewal.announced))
  },
)

/** Chooses a number of cycles, once script reckons the total. */
async function choose(page: Page, cycles: number): Promise<void> {
  await scriptRuns(page)
  const choice = `input[name="cycles"][value="${cycles}"]`
  await unfold(page, choice)
  await page.locator(`#renewal label:has(${choice})`).click()
}

/** Imports the catalogue with a product that is not renewed any more. */
async function stopRenewals(productId: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "catalogue-"))
  const file = join(folder, "catalogue.json")
  await admin("catalogue", "export", file)
  const { plans, ...rest }: { plans: { pid: string }[] } = JSON.parse(readFileSync(file, "utf8"))
  const changed = plans.map((it) => (it.pid === productId ? { ...it, renewal_price: "none" } : it))
  writeFileSync(file, JSON.stringify({ ...rest, plans: changed }))
  await admin("catalogue", "import", file)
  rmSync(folder, { recursive: true })
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test(
      "a plan that is not renewed any more says so on its page and by mail, and leads to the plans",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const { browser, email } = await customer()
        await giveSession(page, shop, browser)
        await stopRenewals("1")
        await page.goto(`${shop.url}/checkout/success?services`)
        await expect(async () => {
          await page.reload()
          await expect(page.locator("main")).toContainText(startOf(enEn.last.beyond), { timeout: 1_000 })
        }).toPass()
        await expect(page.locator('button[value="renew"]')).toHaveCount(0)
        await leadsToPlans(page)

        await admin("clock", "advance", "24d")
        const mail = await mailOf(email, startOf(mailTexts.end.last.ahead.subject))
        expect(mail).toContain(mailTexts.end.last.next)
        expect(linkIn(mail)).toBe("no link")
      },
    )
  })
}

async function leadsToPlans(page: Page): Promise<void> {
  await page.getByRole("link", { name: enEn.last.action }).click()
  await expect(page.locator('input[name="plan"]').first()).toBeAttached()
}

test("days after an outage are said by mail and page, and are taken back from all", deep, async () => {
  const some = await Promise.all([customer(), customer()])
  const before = some.map(({ username }) => storedTerm(shop.dataDir, username).paid_until)
  const when = new Date().toISOString()
  const outage = ["--active-at", when, "--days", "2", "--reason", "outage"]
  expect(await admin("services", "extend", ...outage)).toContain("2 services")
  const given = await admin("services", "extend", ...outage, "--mail", "--confirm")
  for (const [index, { email, username }] of some.entries()) {
    expect(await mailOf(email, "1 month: 2 days more")).toContain("2 days")
    expect(storedTerm(shop.dataDir, username).paid_until).toBe((before[index] ?? 0) + 2 * DAY)
  }
  const undone = await admin("services", "undo", /undo (\S+)/.exec(given)?.[1] ?? "")
  expect(undone).toContain("Days taken back from 2 services. Messages about the days sent before: 2.")
  for (const [index, { username }] of some.entries())
    expect(storedTerm(shop.dataDir, username).paid_until).toBe(before[index])
})

const holds = [
  {
    what: "a payment in part",
    gateway: "offshore",
    outcome: "less",
    ending: "its refund",
    end: "refund-all",
  },
  {
    what: "an unconfirmed payment",
    gateway: "btcpay",
    outcome: "processing",
    ending: "its failure",
    end: "failed",
  },
]

for (const { what, gateway, outcome, ending, end } of holds) {
  test(`${what} holds the suspension, the page says so, and ${ending} ends the hold`, deep, async () => {
    const late = await customer()
    await admin("clock", "advance", "32d")
    const notice = await mailOf(late.email, "Renew by")
    const payment = await renew(await new Browser().visit(linkIn(notice)), gateway)
    await payAt(payment, outcome)

    await admin("clock", "advance", "50h")
    const shown = async () => (await late.browser.visit(linkIn(notice))).text
    await expect.poll(shown, SOON).toContain(enEn.renewal.held)
    expect(storedTerm(shop.dataDir, late.username).status).toBe("Active")

    await payAt(await late.browser.visit(payment.url), end)
    await expect.poll(shown, SOON).not.toContain(enEn.renewal.held)
    await admin("clock", "advance", "1h")
    await expect.poll(() => storedTerm(shop.dataDir, late.username).status, SOON).toBe("Suspended")
    await mailOf(late.email, mailTexts.end["service-suspended"].subject)
    expect(await shown()).toContain(startOf(enEn.renewal.resumed))
  })
}
