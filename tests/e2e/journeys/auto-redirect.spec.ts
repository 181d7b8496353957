import { randomInt } from "node:crypto"
import { expect } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { areSimilar, fastestTimes } from "../../support/attacks/similar-times"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { trusted, underAttack } from "../shop-settings"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deep, everyBackend } from "../tags"

/** Addresses in Great Britain and in Spain according to the embedded country table. */
const BRITISH = "81.2.69.142"
const SPANISH = "80.58.61.250"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop(trusted)
})

const from = (address: string) => new Browser({ "user-agent": BROWSER_AGENT, "x-forwarded-for": address })

/** The shop reads its country table after its start. */
async function seesPounds(): Promise<void> {
  const checkout = async () => (await from(BRITISH).visit(`${shop.url}/checkout/`)).text
  await expect.poll(checkout, { timeout: 30_000 }).toContain("£")
}

test(
  "an auto_redirect link creates the order, and the buyer pays and gets the credentials",
  everyBackend,
  async () => {
    const gateway = await from("192.0.2.1").visit(
      `${shop.url}/checkout/?email=${uniqueEmail()}&pid=3&auto_redirect=true&extraconnect=1`,
    )
    expect(gateway.url.origin).toBe(shop.sandboxUrl)
    expect(gateway.text).toContain("98.90")
    await waitForAccess(await payAt(gateway))
  },
)

test("the same auto_redirect link opened twice in one browser creates one order", async () => {
  const browser = from("192.0.2.1")
  const link = `${shop.url}/checkout/?email=${uniqueEmail()}&pid=1&auto_redirect=true`
  const first = await browser.visit(link)
  expect((await browser.visit(link)).url.href).toBe(first.url.href)
})

test("an auto_redirect visit that is killed before its response is continued by the next one", async () => {
  const email = uniqueEmail()
  const link = `${shop.url}/checkout/?email=${email}&pid=1&auto_redirect=true`
  const [cookie] = (
    await fetch(link, { redirect: "manual", headers: { "user-agent": BROWSER_AGENT } })
  ).headers
    .getSetCookie()
    .map((it) => it.slice(0, it.indexOf(";")))
  const headers = { "user-agent": BROWSER_AGENT, cookie: cookie ?? "" }
  const visit = () => fetch(link, { redirect: "manual", headers })
  // The browser never stores the cookies of a response that does not arrive.
  const locations = [await visit(), await visit()].map((it) => it.headers.get("location"))
  expect(locations[1]).toBe(locations[0])
  expect(readStoredRows(shop.dataDir, email).orders).toHaveLength(1)
})

test("an auto_redirect link with a missing field opens the prefilled checkout", async () => {
  const email = uniqueEmail()
  const page = await from("192.0.2.1").visit(`${shop.url}/checkout/?email=${email}&auto_redirect=true`)
  expect(page.url.href).toBe(`${shop.url}/checkout/`)
  expect(page.field("email")).toBe(email)
})

test("prices are in pounds in Great Britain; an auto_redirect order from Spain is Spanish and in euros", async () => {
  await seesPounds()
  expect((await from(SPANISH).visit(`${shop.url}/checkout/`)).text).not.toContain("£")
  const link = () => `${shop.url}/checkout/?email=${uniqueEmail()}&pid=1&auto_redirect=true`
  expect((await from(BRITISH).visit(link())).text).toContain("£")
  const spanish = await from(SPANISH).visit(link())
  expect(spanish.language).toBe("es-ES")
  expect(spanish.text).toContain("€")
})

test("the review step and the gateway use the currency of the checkout", async () => {
  await seesPounds()
  const browser = from(BRITISH)
  const review = await chooseAndPay(browser, { shop })
  expect(review.text).toContain("£")
  const gateway = await goToGateway(review)
  expect(gateway.text).toContain("£")
})

test("an affiliate's click is counted once a day and attributed to the order", async () => {
  const affiliate = String(randomInt(1_000, 1_000_000))
  const browser = new Browser({ "user-agent": BROWSER_AGENT, referer: "https://blog.test/tv?secret=1" })
  await browser.visit(`${shop.url}/checkout/?aff_id=${affiliate}&utm=x`)
  await browser.visit(`${shop.url}/checkout/?aff_id=${affiliate}`)
  await waitForAccess(await payAt(await goToGateway(await chooseAndPay(browser, { shop }))))
  const { output } = await runServerCommand(["admin", "affiliates", "list"], { DATA_DIR: shop.dataDir })
  expect(output).toMatch(new RegExp(`\\b${affiliate}\\D+1\\D+1\\D+1`))
})

test("the click endpoint returns 204 for a click and 400 for invalid input", async () => {
  const call = (body: BodyInit, type: string) =>
    fetch(`${shop.url}/checkout/aff/new_click`, { method: "POST", body, headers: { "content-type": type } })
  expect((await call(JSON.stringify({ aff_id: 78 }), "application/json")).status).toBe(204)
  expect((await call("aff_id=78&referer=https://x.test/", "application/x-www-form-urlencoded")).status).toBe(
    204,
  )
  expect((await call("aff_id=me", "application/x-www-form-urlencoded")).status).toBe(400)
  expect((await call("{", "application/json")).status).toBe(400)
})

test("a blocked visitor gets 403 with an order number, and can order once the network is unblocked", async () => {
  const env = { DATA_DIR: shop.dataDir }
  expect((await runServerCommand(["admin", "blocks", "add", "203.0.113.0/24"], env)).exitCode).toBe(0)
  const browser = from("203.0.113.9")
  const email = uniqueEmail()
  const held = await goToGateway(await chooseAndPay(browser, { shop, email }))
  expect(held.status).toBe(403)
  expect(held.url.pathname).toBe("/checkout/creatingOrder")
  const [order] = readStoredRows(shop.dataDir, email).orders
  expect(order?.status).toBe("fraud")
  expect(held.text).toContain(order?.id ?? "no order")
  expect((await browser.visit(`${shop.url}/checkout/waiting`)).status).toBe(403)
  const again = await browser.visit(`${shop.url}/checkout/`)
  expect(again.text).toContain(enEn.checkout.heading)

  const { output } = await runServerCommand(["admin", "orders", "show", order?.id ?? ""], env)
  expect(output).toContain("blocked network 203.0.113.0/24")
  await runServerCommand(["admin", "blocks", "remove", "203.0.113.0/24"], env)
  const gateway = await goToGateway(await chooseAndPay(browser, { shop, email }))
  expect(gateway.url.origin).toBe(shop.sandboxUrl)
})

test("X-Forwarded-For from an untrusted client does not change the country", async () => {
  const own = await startShop()
  try {
    expect((await from(BRITISH).visit(`${own.url}/checkout/`)).text).not.toContain("£")
  } finally {
    await own.stop()
  }
})

test("a known and an unknown email get the same pages", async () => {
  const email = uniqueEmail()
  await buyAs(email)
  expect(await pagesFor(uniqueEmail())).toEqual(await pagesFor(email))
})

test("a known and an unknown email get responses in similar time", deep, async ({ sharedShop }) => {
  // The velocity check would hold the orders of one email.
  const unchecked = await sharedShop(underAttack)
  const email = uniqueEmail()
  let network = 0
  const reviewFor = (typed: string) =>
    chooseAndPay(from(`93.184.${network++}.1`), { shop: unchecked, email: typed })
  await waitForAccess(await payAt(await goToGateway(await reviewFor(email))))
  const timeFor = async (typed: string) => {
    const review = await reviewFor(typed)
    const started = performance.now()
    await goToGateway(review)
    return performance.now() - started
  }
  const times = await fastestTimes([() => timeFor(email), () => timeFor(uniqueEmail())])
  expect(areSimilar(times), `milliseconds, known and unknown: ${times}`).toBe(true)
})

async function buyAs(email: string): Promise<void> {
  const review = await chooseAndPay(from("192.0.2.1"), { shop, email })
  await waitForAccess(await payAt(await goToGateway(review)))
}

/** Texts of the pages up to the gateway, with email, tokens and order number replaced by constants. */
async function pagesFor(email: string): Promise<string[]> {
  const review = await chooseAndPay(from("192.0.2.1"), { shop, email })
  const gateway = await goToGateway(review)
  return [review, gateway].map(({ text, status }) =>
    `${status} ${text}`
      .replaceAll(email, "E-MAIL")
      .replace(/[\w-]{20,}/g, "TOKEN")
      .replace(/\b[2-9A-Z]{10}\b/g, "ORDER"),
  )
}
