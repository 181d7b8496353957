import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { ptPt } from "~/i18n/translations/pt-pt"
import type { Translation } from "~/i18n/translations/translation"
import { signInMailsTo, signInMailTo } from "../../fixtures/mailbox"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { underAttack } from "../shop-settings"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({ userAgent: BROWSER_AGENT })

const languages: readonly { prefix: string; text: Translation }[] = [
  { prefix: "", text: enEn },
  { prefix: "/de-de", text: deDe },
  { prefix: "/pt-pt", text: ptPt },
]

for (const javaScriptEnabled of [true, false]) {
  for (const { prefix, text } of languages) {
    test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript on ${prefix || "/"}`, () => {
      test.use({ javaScriptEnabled })

      test(
        "bought on the phone, cookie gone, back by mail on the desktop: by link and by code",
        deepUnless(prefix === (javaScriptEnabled ? "" : "/de-de")),
        async ({ page, browser }) => {
          const email = uniqueEmail()
          const username = await buyForPage(page, shop, { email, prefix })
          await page.context().clearCookies()

          const context = await browser.newContext({ javaScriptEnabled, userAgent: BROWSER_AGENT })
          const desktop = await context.newPage()
          await desktop.goto(`${shop.url}/checkout${prefix || "/"}?signin`)
          await desktop.locator("#sign-in-mail-email").fill(email.toUpperCase())
          await desktop.getByRole("button", { name: text.signIn.mail.send }).click()
          await expect(desktop.locator("h1")).toHaveText(text.signIn.code.heading)
          await desktop.reload()
          await expect(desktop.locator("h1")).toHaveText(text.signIn.code.heading)
          const { code, link } = await signInMailTo(shop, email)

          // Another browser than the one that asked: the code does not work there, the link does.
          await page.goto(link)
          await expect(page.locator("main")).toContainText(email)
          await page.reload()
          await page.locator("main button.main").click()
          await expect(page).toHaveURL(`${shop.url}/checkout${prefix}/success`)
          await expect(page.locator("main")).toContainText(username)
          await page.goBack()
          // Back leads to the link, which leads a signed-in customer on; another navigation would interrupt that.
          await expect(page).toHaveURL(`${shop.url}/checkout${prefix}/success`)
          await expect(page.locator("main")).toContainText(username)
          await page.goto(link)
          await expect(page).toHaveURL(`${shop.url}/checkout${prefix}/success`)

          // The link has used the message up.
          await desktop.locator("[name=code]").fill(code)
          await desktop.locator('button[value="sign-in-code"]').click()
          await expect(desktop.locator(".problem")).toHaveText(text.signIn.code.ended)
          await desktop.getByRole("button", { name: text.signIn.code.again }).click()
          await expect(desktop.locator("main [role=status]")).toHaveText(text.signIn.code.sentAgain)
          const newer = await signInMailTo(shop, email, 2)
          await desktop.locator("[name=code]").fill(newer.code === "000000" ? "111111" : "000000")
          await desktop.locator('button[value="sign-in-code"]').click()
          await expect(desktop.locator(".problem")).toHaveText(text.signIn.code.wrong)
          await desktop.locator("[name=code]").fill(newer.code)
          await desktop.locator('button[value="sign-in-code"]').dblclick()
          await expect(desktop).toHaveURL(`${shop.url}/checkout${prefix}/success`)
          await expect(desktop.locator("main")).toContainText(username)
          await context.close()
        },
      )
    })
  }

  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled })

    test("the link of an order leads over the sign-in to the order's service", async ({ page }) => {
      const email = uniqueEmail()
      const first = await buyForPage(page, shop, { email })
      const id = readStoredRows(shop.dataDir, email).orders[0]?.id ?? ""
      await buyForPage(page, shop, { email })
      await page.context().clearCookies()

      const response = await page.goto(`${shop.url}/checkout/nl-nl/success?order=${id}`)
      expect(response?.status()).toBe(401)
      await page.locator("#sign-in-mail-email").fill(email)
      await page.locator('button[value="sign-in-mail"]').click()
      await expect(page).toHaveURL(`${shop.url}/checkout/nl-nl/success?signin`)
      const { code } = await signInMailTo(shop, email)
      await page.locator("[name=code]").fill(code)
      await page.locator("[name=code]").press("Enter")
      await expect(page).toHaveURL(`${shop.url}/checkout/nl-nl/success`)
      await expect(page.locator("main code", { hasText: first })).toBeVisible()
    })
  })
}

test("the reseller checkout leads to the sign-in by mail and back", async ({ page }) => {
  const email = uniqueEmail()
  await buyForPage(page, shop, { email })
  await page.context().clearCookies()
  await page.goto(`${shop.url}/checkout/resellers?existing=yes`)
  await page.locator("#account").getByRole("link", { name: enEn.signIn.mail.send }).click()
  await page.locator("#sign-in-mail-email").fill(email)
  await page.locator('button[value="sign-in-mail"]').click()
  const { code } = await signInMailTo(shop, email)
  await page.locator("[name=code]").fill(code)
  await page.locator('button[value="sign-in-code"]').click()
  await expect(page).toHaveURL(`${shop.url}/checkout/resellers`)
  await expect(page.locator("#account")).toContainText(email)
})

test("known and unknown emails get the same answers, and only a customer gets a message", async () => {
  const known = uniqueEmail()
  await goToGateway(await chooseAndPay(new Browser({ "user-agent": BROWSER_AGENT }), { shop, email: known }))
  const unknown = uniqueEmail()
  const answers = async (email: string) => {
    const browser = new Browser({ "user-agent": BROWSER_AGENT })
    const start = await browser.visit(`${shop.url}/checkout/success`)
    const asked = await start.submit({ button: { value: "sign-in-mail" }, fields: { email } })
    const again = await asked.submit({ button: { value: "sign-in-mail" } })
    const wrong = await again.submit({ button: { value: "sign-in-code" }, fields: { code: "000000" } })
    const pages = [start, asked, again, wrong].map(({ url, status, headers, text }) => {
      const names = [...headers.keys()].filter((name) => name !== "date")
      return `${url.pathname}${url.search} ${status} ${names.join()} ${text}`
    })
    return pages.join("\n").replaceAll(email, "THE EMAIL")
  }
  expect(await answers(unknown)).toBe(await answers(known))
  // A message that has not been sent yet is replaced by that of the second request.
  await expect.poll(() => signInMailsTo(shop, known), { timeout: 20_000 }).not.toEqual([])
  expect(await signInMailsTo(shop, unknown)).toEqual([])
})

test("more than five requests of one address for an email get 429, with what was typed, and others go on", async ({
  sharedShop,
}) => {
  const { url } = await sharedShop(underAttack)
  let addresses = 0
  const ask = async (email: string, address: string) => {
    const from = { "x-forwarded-for": address, "user-agent": BROWSER_AGENT }
    const start = await new Browser(from).visit(`${url}/checkout/?signin`)
    return start.submit({ button: { value: "sign-in-mail" }, fields: { email } })
  }
  for (const email of [uniqueEmail(), uniqueEmail()]) {
    const stranger = `93.184.218.${++addresses}`
    for (let times = 1; times <= 5; times++) expect((await ask(email, stranger)).status).toBe(200)
    const refused = await ask(email, stranger)
    expect(refused.status).toBe(429)
    expect(refused.field("email")).toBe(email)
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(refused.text).toContain(enEn.signIn.mail.tooMany.split("{{")[0] ?? "")
    expect((await ask(email, "93.184.217.7")).status).toBe(200)
  }
})
