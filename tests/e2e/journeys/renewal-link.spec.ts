import { expect, test } from "playwright/test"
import { DAY } from "~/domain/calendar"
import { deDe } from "~/i18n/screen-texts/de-de"
import { enEn } from "~/i18n/screen-texts/en-en"
import { nlNl } from "~/i18n/screen-texts/nl-nl"
import { mailsTo } from "../../fixtures/mailbox"
import { accessOn, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { storedTerm } from "../../fixtures/stored-terms"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop, type TestServer } from "../../support/server/server-process"
import { deep } from "../tags"

const MONTH = 28 * DAY
const languages = [
  ["English", "", enEn],
  ["German", "/de-de", deDe],
  ["Dutch", "/nl-nl", nlNl],
] as const

type Reminded = { readonly email: string; readonly username: string; readonly link: string }
const reminded = new Map<string, Reminded>()
let shop: TestServer

test.beforeAll(async () => {
  shop = await startShop()
  const bought = await Promise.all(languages.map(([language, prefix]) => buy(language, prefix)))
  await runServerCommand(["admin", "clock", "advance", "24d"], { DATA_DIR: shop.dataDir })
  for (const { language, ...customer } of bought)
    reminded.set(language, { ...customer, link: await reminderTo(customer.email) })
})
test.afterAll(() => shop.stop())

async function buy(language: string, prefix: string) {
  const email = uniqueEmail("renews")
  const form = await new Browser().visit(`${shop.url}/checkout${prefix}/`)
  const fields = { plan: "1", email, gateway: "offshore" }
  const review = await form.submit({ button: { value: "pay" }, fields })
  const page = await waitForAccess(await payAt(await goToGateway(review)))
  return { language, email, username: accessOn(page)?.username ?? "no username" }
}

async function reminderTo(email: string): Promise<string> {
  const links = async () =>
    (await mailsTo(shop, email)).flatMap(({ text }) => /https?:\S+[?]renewal=[\w.-]+/.exec(text)?.[0] ?? [])
  await expect.poll(async () => (await links()).length, { timeout: 90_000 }).toBeGreaterThan(0)
  return (await links())[0] ?? ""
}

function customer(language: string): Reminded {
  const found = reminded.get(language)
  if (!found) throw new Error(`Nobody was reminded in ${language}`)
  return found
}

for (const [language, prefix, texts] of languages) {
  test(`without JavaScript in ${language} somebody else pays by the link of a reminder, once`, async () => {
    const { link, email, username } = customer(language)
    const before = storedTerm(shop.dataDir, username)
    const browser = new Browser()
    const page = await browser.visit(link)
    expect(page.url.pathname).toBe(`/checkout${prefix}/renew`)
    expect(page.text).toContain(`${email[0]}…@`)
    const paid = await payAt(await page.submit({ button: { value: "renew" }, fields: { cycles: "1" } }))
    expect(paid.url.pathname).toBe(`/checkout${prefix}/renew`)
    expect(paid.text).toContain(texts.link.paid)
    for (const { body } of [page, paid])
      for (const secret of [email, username, before.password])
        expect(JSON.stringify(body)).not.toContain(secret)
    expect(storedTerm(shop.dataDir, username).paid_until).toBeGreaterThan(before.paid_until + MONTH - DAY)
    const used = await new Browser().visit(link)
    expect([used.status, used.text.includes(texts.link.heading.split("{{")[0] ?? "")]).toEqual([401, false])
    expect((await browser.visit(`${shop.url}/checkout${prefix}/success?services`)).text).not.toContain(
      username,
    )
  })
}

test(
  "with JavaScript the total follows the choice, and the payment ends on the page of the link",
  deep,
  async ({ page }) => {
    const { email, username } = await buy("English", "")
    const before = storedTerm(shop.dataDir, username).paid_until
    await runServerCommand(["admin", "clock", "advance", "24d"], { DATA_DIR: shop.dataDir })
    await page.goto(await reminderTo(email))
    const total = page.locator("#renewal .total output")
    const one = await total.textContent()
    await page.locator('input[name="cycles"][value="3"]').check({ force: true })
    await expect(total).not.toHaveText(one ?? "")
    await page.locator('button[value="renew"]').click()
    await page.waitForURL((url) => url.origin === shop.sandboxUrl)
    await page.locator('button[value="paid"]').click()
    await expect(page.locator("h1")).toHaveText(enEn.link.paid, { timeout: 20_000 })
    expect(storedTerm(shop.dataDir, username).paid_until).toBeGreaterThan(before + 3 * MONTH)
  },
)
