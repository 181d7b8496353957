import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { accessOn, chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { becomeReseller } from "../../fixtures/reseller-purchase"
import { signInLink } from "../../fixtures/sign-in-link"
import { readStoredRows } from "../../fixtures/stored-data"
import { storedServices } from "../../fixtures/stored-services"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import type { HtmlPage } from "../../support/html/html-page"
import { rawRequest } from "../../support/http/raw-request"
import { runServerCommand } from "../../support/server/run-server-command"
import { trusted } from "../shop-settings"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

const PASSWORD = "correct horse battery staple"

/**
 * Journeys of a customer after the purchase in a browser without JavaScript, by links, forms, redirects and refreshes.
 */
let shop: TestServer
let browser: Browser
let email: string
test.beforeEach(async ({ sharedShop }) => {
  shop = await sharedShop()
  browser = new Browser({ "user-agent": BROWSER_AGENT })
  email = uniqueEmail()
})

test("without JavaScript a device address is accepted in any notation, and an invalid one gets 400", async () => {
  const bought = await buy()
  const refused = await bought.submit({ having: "deviceAddress", fields: { deviceAddress: "not a device" } })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain(enEn.device.invalid)
  expect(refused.field("deviceAddress")).toBe("not a device")
  const fields = { deviceAddress: " 00-1a-79-ab-cd-ef " }
  const registered = await refused.submit({ having: "deviceAddress", fields })
  expect(registered.url.search).toContain("done=device")
  expect(registered.text).toContain("00:1A:79:AB:CD:EF")
  expect(serviceOf(bought)?.device_address).toBe("00:1A:79:AB:CD:EF")
})

test("without JavaScript notes are saved, and the service is restarted", async () => {
  const bought = await buy("/pt-pt")
  const noted = await bought.submit({ having: "notes", fields: { notes: "Sala <b>grande</b>" } })
  expect(noted.url.search).toContain("done=notes")
  expect(noted.field("notes")).toBe("Sala <b>grande</b>")
  const restarted = await noted.submit({ button: { value: "restart" } })
  expect(restarted.url.search).toContain("done=restart")
})

test("without JavaScript a service recreated after a confirmation has new credentials", async () => {
  const bought = await buy()
  const before = accessOn(bought)?.username ?? "no username"
  const confirmPage = await bought.follow(/recreate/)
  expect(confirmPage.text).toContain(before)
  const recreated = await waitForAccess(await confirmPage.submit({ button: { value: "recreate" } }))
  await expect.poll(async () => (await browser.visit(recreated.url)).text).not.toContain(before)
  expect(accessOn(await browser.visit(recreated.url))?.username).toMatch(/^TV[0-9A-Z]{8}$/)
})

test("without JavaScript connections are added to the service, also after leaving the payment page", async () => {
  const bought = await buy("/de-de")
  const payment = await bought.submit({ button: { value: "upsell" }, fields: { quantity: "2" } })
  expect(payment.url.origin).toBe(shop.sandboxUrl)
  expect(payment.text).toContain("39,80")
  const waiting = await browser.visit(`${shop.url}/checkout/de-de/waiting`)
  const service = await waiting.follow("Zurück zu Ihrem Zugang")
  expect(service.text).toContain("noch nicht bezahlt")
  const again = await (await service.follow("Zurück zur Zahlung")).follow(new RegExp(`^${shop.sandboxUrl}`))
  await payAt(again)
  await expect.poll(() => serviceOf(bought)?.connections).toBe(3)
  await expect
    .poll(async () => (await browser.visit(`${shop.url}/checkout/de-de/success`)).text)
    .toContain("3 Verbindungen")
})

test("without JavaScript a customer signs in by link, sets a password, signs out and signs in from another browser", async () => {
  const bought = await buy()
  const username = accessOn(bought)?.username ?? "no username"
  const proven = new Browser({ "user-agent": BROWSER_AGENT })
  const services = await proven.visit(signInLink(shop, email))
  expect(services.url.pathname).toBe("/checkout/success")
  expect(services.text).toContain(username)
  const chosen = await services.submit({ button: { value: "password" }, fields: { password: PASSWORD } })
  expect(chosen.url.search).toContain("done=password")
  const out = await chosen.submit({ button: { text: "Sign out" } })
  expect([out.url.pathname, out.field("email")]).toEqual(["/checkout/", ""])
  expect((await proven.visit(`${shop.url}/checkout/success`)).text).not.toContain(username)

  const otherDevice = new Browser({ "user-agent": BROWSER_AGENT })
  const signIn = await (await otherDevice.visit(`${shop.url}/checkout/`)).follow(/signin/)
  const fields = { email: email.toUpperCase(), password: "wrong horse" }
  const refused = await signIn.submit({ button: { value: "sign-in" }, fields })
  expect([refused.status, refused.field("email"), refused.field("password")]).toEqual([401, fields.email, ""])
  const signedIn = await refused.submit({
    button: { value: "sign-in" },
    fields: { email: email.toUpperCase(), password: PASSWORD },
  })
  expect(signedIn.url.pathname).toBe("/checkout/success")
  expect(signedIn.text).toContain(username)
})

/** URLs with customer data. */
const paths = [
  "success",
  "success/playlist.m3u8",
  "api/order-status",
  "waiting",
  "success.data",
  "de-de/success",
]

test("without JavaScript forgetting the device ends the session and every copy of its cookie", async () => {
  const bought = await buy()
  const copy = cookieOf(browser)
  expect(await shownTo(copy, bought)).toContain("success")
  const confirmPage = await bought.follow("Forget this device")
  expect(confirmPage.text).toContain("Forget this device?")
  const checkout = await confirmPage.submit({ button: { text: "Forget everything" } })
  expect([checkout.url.pathname, checkout.field("email")]).toEqual(["/checkout/", ""])
  expect(await shownTo(copy, bought)).toEqual([])
  expect((await browser.visit(`${shop.url}/checkout/success`)).status).toBe(401)
})

test("without JavaScript a new password ends all other sessions and every copy of a cookie", async () => {
  const bought = await buy()
  const [signedOut, otherDevice] = [
    new Browser({ "user-agent": BROWSER_AGENT }),
    new Browser({ "user-agent": BROWSER_AGENT }),
  ]
  const services = await signedOut.visit(signInLink(shop, email))
  await otherDevice.visit(signInLink(shop, email))
  const copies = [browser, signedOut, otherDevice].map(cookieOf)
  await services.submit({ button: { value: "password" }, fields: { password: PASSWORD } })
  for (const copy of copies) expect(await shownTo(copy, bought)).toEqual([])
  expect((await otherDevice.visit(`${shop.url}/checkout/success`)).status).toBe(401)
  expect(accessOn(await signedOut.visit(`${shop.url}/checkout/success`))).toEqual(accessOn(bought))
})

test("without JavaScript another visitor's unpaid order is opened only after a confirmation", async () => {
  const payment = await goToGateway(await chooseAndPay(new Browser(), { shop }))
  const [, written = ""] = /href="([^"]*resume=[^"]*)"/.exec(payment.body) ?? []
  const returnPath = written.replaceAll("&amp;", "&")
  const own = accessOn(await buy())
  const confirmPage = await browser.visit(returnPath)
  expect(confirmPage.text).toContain("Open this order here?")
  await confirmPage.follow("Leave it closed")
  expect(accessOn(await browser.visit(`${shop.url}/checkout/success`))).toEqual(own)
  const opened = await (await browser.visit(returnPath)).submit({ button: { text: "Open my order" } })
  expect(opened.url.pathname).toBe("/checkout/waiting")
})

test("without JavaScript a new reseller buys a plan, creates a line and orders again as an existing reseller", async () => {
  const form = await browser.visit(`${shop.url}/checkout/de-de/resellers`)
  expect(form.field("plan")).toBe("12")
  const fields = { existing: "no", email, newPassword: PASSWORD, confirmPassword: `${PASSWORD}!` }
  const refused = await form.submit({ button: { value: "pay" }, fields })
  expect(refused.text).toContain(deDe.resellers.notSame)
  const passwords = { newPassword: PASSWORD, confirmPassword: PASSWORD }
  const payment = await goToGateway(await refused.submit({ button: { value: "pay" }, fields: passwords }))
  const waiting = await browser.visit(`${shop.url}/checkout/de-de/resellers`)
  expect(waiting.url.pathname).toBe("/checkout/de-de/resellers/waiting")
  expect(waiting.text).toContain(deDe.waiting.leadReseller)
  const account = await accountAfter(payment, browser, deDe.resellers.success.heading)
  expect(account.text).toMatch(/https?:\/\/panel\.example\./)
  const created = await account.submit({ having: "notes", fields: { notes: "Leo, living room" } })
  expect(created.text).toContain(deDe.resellers.line.made)
  expect(created.text).toContain("Leo, living room")

  const later = new Browser({ "user-agent": BROWSER_AGENT })
  const again = await later.visit(`${shop.url}/checkout/de-de/resellers`)
  const existing = { existing: "yes", email, password: "not the password" }
  const wrong = await again.submit({ button: { value: "pay" }, fields: existing })
  expect(wrong.text).toContain(deDe.resellers.wrongPassword)
  expect([wrong.field("email"), wrong.field("existing")]).toEqual([email, "yes"])
  const review = await wrong.submit({ button: { value: "pay" }, fields: { password: PASSWORD } })
  await accountAfter(await goToGateway(review), later, "49 Credits")
  await expect
    .poll(
      async () => (await runServerCommand(["admin", "resellers", "list"], { DATA_DIR: shop.dataDir })).output,
    )
    .toMatch(new RegExp(` 1 +49 +${email}`))
})

test("without JavaScript the lines that a reseller has selected stay selected when nothing is extended", async () => {
  const account = await becomeReseller(browser, { shop, email, password: PASSWORD })
  const lines = await account.submit({ having: "notes", fields: { notes: "Leo" } })
  await runServerCommand(["admin", "blocks", "add", email], { DATA_DIR: shop.dataDir })
  const refused = await lines.submit({ button: { value: "extend-lines" }, fields: { line: true } })
  expect([refused.status, refused.field("line")]).toEqual([403, expect.any(String)])
})

test("without JavaScript only the signed-in reseller can add connections to an active service", async () => {
  const account = await becomeReseller(browser, { shop, email, password: PASSWORD })
  const [username] = /TV[0-9A-Z]{8}/.exec(account.text) ?? []
  const id = storedServices(shop.dataDir).find((it) => it.username === username)?.id
  const form = await account.follow(/\/upsell/)
  expect(form.url.pathname).toBe("/checkout/upsell")
  const updated = await form.submit({ button: { value: "upsell-update" }, fields: { quantity: "4" } })
  expect(updated.text).toContain("€10.00")
  await payAt(await updated.submit({ button: { value: "upsell" } }))
  await expect.poll(() => storedServices(shop.dataDir).find((it) => it.id === id)?.connections).toBe(5)
  const otherClient = await new Browser().visit(`${shop.url}/checkout/upsell?serviceid=${id}`)
  expect(otherClient.url.pathname).toBe("/checkout/resellers")
})

test("without JavaScript the page of a held order continues once the operator releases the order", async ({
  sharedShop,
}) => {
  const held = await sharedShop(trusted)
  const env = { DATA_DIR: held.dataDir }
  await runServerCommand(["admin", "blocks", "add", "192.0.2.128/25"], env)
  const blocked = new Browser({ "user-agent": BROWSER_AGENT, "x-forwarded-for": "192.0.2.200" })
  const refused = await goToGateway(await chooseAndPay(blocked, { shop: held, email }))
  expect(refused.status).toBe(403)
  const [order] = readStoredRows(held.dataDir, email).orders
  expect(refused.text).toContain(order?.id)
  await runServerCommand(["admin", "orders", "release", order?.id ?? "", "--reason", "known"], env)
  const released = await refused.followRefresh()
  expect(released.status).toBe(200)
  expect(released.url.pathname).toMatch(/\/(creatingOrder|waiting)$|\/pay\//)
})

/** Buys the 12-month plan and returns the service page. */
async function buy(prefix = ""): Promise<HtmlPage> {
  return waitForAccess(await payAt(await goToGateway(await chooseAndPay(browser, { shop, email, prefix }))))
}

/** Pays for a reseller plan and returns the account page once it says so. */
async function accountAfter(payment: HtmlPage, buyer: Browser, said: string): Promise<HtmlPage> {
  let shown = await payAt(payment)
  await expect(async () => {
    shown = await buyer.visit(`${shop.url}/checkout/de-de/resellers/success`)
    expect(shown.text).toContain(said)
    expect(shown.field("notes")).toBe("")
  }).toPass()
  return shown
}

function serviceOf(page: HtmlPage) {
  const username = accessOn(page)?.username
  return storedServices(shop.dataDir).find((it) => it.username === username)
}

/** The session cookie, as an attacker would copy it. */
function cookieOf(owner: Browser): string {
  const cookies = owner.cookies(new URL(`${shop.url}/checkout/`)) ?? ""
  return /(?:^|; )(checkout=[^;]+)/.exec(cookies)?.[1] ?? "no cookie"
}

/** Paths on which a copied cookie shows the purchase. */
async function shownTo(cookie: string, bought: HtmlPage): Promise<string[]> {
  const secrets = [accessOn(bought)?.username ?? "no username", '"mark"', "#EXTM3U"]
  const shown: string[] = []
  for (const path of paths) {
    const { body } = await rawRequest(shop.url, `/checkout/${path}`, { headers: { cookie } })
    if (secrets.some((secret) => body.includes(secret))) shown.push(path)
  }
  return shown
}
