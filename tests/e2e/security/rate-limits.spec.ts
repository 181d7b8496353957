import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { esEs } from "~/i18n/translations/es-es"
import { nlNl } from "~/i18n/translations/nl-nl"
import { ptPt } from "~/i18n/translations/pt-pt"
import { limits } from "~/security/rate-limits.server"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { alertsIn, invalidFieldsIn } from "../../support/html/form-errors"
import { underAttack } from "../shop-settings"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  // The velocity check is off, as it comes before the rate limits. It has its own tests.
  shop = await sharedShop(underAttack)
})

/** Client addresses used so far. Every test uses a new one. */
let addresses = 0
const newAddress = () => `93.184.216.${++addresses}`
const browserAt = (address: string) =>
  new Browser({ "x-forwarded-for": address, "user-agent": BROWSER_AGENT })

const languages = [
  { prefix: "", translation: enEn },
  { prefix: "/en-gb", translation: enEn },
  { prefix: "/es-es", translation: esEs },
  { prefix: "/pt-pt", translation: ptPt },
  { prefix: "/de-de", translation: deDe },
  { prefix: "/nl-nl", translation: nlNl },
]

for (const { prefix, translation } of languages) {
  test(
    `guessing promo codes gets 429 with Retry-After and keeps the input, at ${prefix || "/"}`,
    deepUnless(prefix === "" || prefix === "/es-es"),
    async () => {
      const address = newAddress()
      let page = await browserAt(address).visit(`${shop.url}/checkout${prefix || "/"}`)
      const guess = (nth: number) =>
        page.submit({
          button: { value: "apply-promo" },
          fields: { plan: "3", email: "ana@example.test", promoCode: `GUESS${nth}` },
        })
      // The response to the first attempt sets the cookie that identifies the browser; the limit counts later attempts.
      for (let nth = 0; nth <= limits.wrongCodesOfBrowser; nth++) {
        page = await guess(nth)
        expect(page.status).toBe(422)
      }
      page = await guess(99)
      expect(page.status).toBe(429)
      expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0)
      expect(invalidFieldsIn(page.body)).toEqual({ promoCode: translation.promotion["too-many"] })
      expect([page.field("email"), page.field("plan"), page.field("promoCode")]).toEqual([
        "ana@example.test",
        "3",
        "GUESS99",
      ])

      const otherVisitor = await browserAt(address).visit(`${shop.url}/checkout${prefix || "/"}`)
      const applied = await otherVisitor.submit({
        button: { value: "apply-promo" },
        fields: { plan: "3", promoCode: "YEAR15" },
      })
      expect(applied.status).toBe(200)
      expect(applied.text).toContain("YEAR15")
    },
  )
}

for (const path of ["/checkout/", "/checkout/resellers"]) {
  test(`promo codes cannot be enumerated by discarding cookies, at ${path}`, async () => {
    const address = newAddress()
    const statuses: number[] = []
    for (let nth = 0; nth < limits.wrongCodesOfAddress + 20; nth++) {
      const body = new URLSearchParams({ intent: "apply-promo", plan: "3", promoCode: `GUESS${nth}` })
      statuses.push((await browserAt(address).post(shop.url + path, { body })).status)
    }
    expect(statuses.filter((it) => it === 422)).toHaveLength(limits.wrongCodesOfAddress)
    expect(statuses.filter((it) => it === 429)).toHaveLength(20)
  })
}

test("promo codes cannot be enumerated by entry links, which get 429 with Retry-After", async () => {
  const address = newAddress()
  const link = (nth: number) => browserAt(address).visit(`${shop.url}/checkout/de-de?promocode=GUESS${nth}`)
  for (let nth = 0; nth < limits.wrongCodesOfAddress; nth++) expect((await link(nth)).status).toBe(200)
  const refused = await link(99)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(refused.text).toContain(deDe.error["too-many"])
  // The shop stays available to all clients of the address.
  expect((await browserAt(address).visit(`${shop.url}/checkout/de-de`)).status).toBe(200)
})

test("promo codes cannot be enumerated by submitting the checkout", async () => {
  const address = newAddress()
  const pay = (nth: number) => {
    const fields = { intent: "pay", plan: "3", email: "ana@example.test", gateway: "offshore" }
    const body = new URLSearchParams({ ...fields, promoCode: `GUESS${nth}` })
    return browserAt(address).post(`${shop.url}/checkout/`, { body })
  }
  for (let nth = 0; nth < limits.wrongCodesOfAddress; nth++) expect((await pay(nth)).status).toBe(422)
  expect((await pay(99)).status).toBe(429)
})

test("too many orders get 429 without a charge, and other clients can still order", async () => {
  const browser = browserAt(newAddress())
  const email = uniqueEmail()
  const before = readStoredRows(shop.dataDir).orders.length
  const order = async () => goToGateway(await chooseAndPay(browser, { shop, email }))
  let page = await order()
  let placed = 0
  for (; page.status !== 429 && placed < 100; placed++) {
    // Cancels the order and starts another one.
    const waiting = await browser.visit(`${shop.url}/checkout/waiting?edit`)
    await waiting.submit({ button: { value: "edit" } })
    page = await order()
  }
  expect(page.url.pathname).toBe("/checkout/creatingOrder")
  expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(alertsIn(page.body)).toEqual([enEn.review["too-many"]])
  expect(placed).toBe(limits.ordersOfEmail)
  expect(readStoredRows(shop.dataDir).orders.length - before).toBe(placed)
  const other = await goToGateway(await chooseAndPay(browserAt(newAddress()), { shop }))
  expect(other.url.origin).toBe(shop.sandboxUrl)
})

for (const { prefix, translation } of [
  { prefix: "", translation: enEn },
  { prefix: "/de-de", translation: deDe },
]) {
  test(`an upsell over the limit gets 429 with Retry-After on the service's page, at ${prefix || "/"}`, async () => {
    const browser = browserAt(newAddress())
    const order = async () => goToGateway(await chooseAndPay(browser, { shop, prefix }))
    for (let placed = 1; placed < limits.ordersOfBrowser; placed++) {
      await order()
      const waiting = await browser.visit(`${shop.url}/checkout${prefix}/waiting?edit`)
      await waiting.submit({ button: { value: "edit" } })
    }
    const bought = await waitForAccess(await payAt(await order()))
    const page = await bought.submit({ button: { value: "upsell" }, fields: { quantity: "1" } })
    expect(page.url.pathname).toBe(`/checkout${prefix}/success`)
    expect(page.status).toBe(429)
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(page.text).toContain(translation.review["too-many"])
  })
}

test("affiliate clicks above the limit of a client address get 429, and the shop stays available", async () => {
  const address = newAddress()
  const click = (_: unknown, nth: number) =>
    fetch(`${shop.url}/checkout/aff/new_click`, {
      method: "POST",
      body: new URLSearchParams({ aff_id: "7" }),
      headers: { "x-forwarded-for": address, "user-agent": `browser ${nth}` },
    })
  const responses = await Promise.all(Array.from({ length: limits.clicksOfAddress + 10 }, click))
  expect(responses.filter(({ status }) => status === 204)).toHaveLength(limits.clicksOfAddress)
  const refused = responses.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(10)
  for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
  expect((await browserAt(address).visit(`${shop.url}/checkout/?aff_id=7`)).status).toBe(200)
})

test("forged callbacks above the limit get 429 and are not logged", async () => {
  const address = newAddress()
  const forge = () =>
    fetch(`${shop.url}/checkout/api/payments/offshore/callback`, {
      method: "POST",
      body: "{}",
      headers: { "x-forwarded-for": address },
    })
  const linesBefore = shop.logLines().length
  const statuses: number[] = []
  for (let nth = 0; nth < limits.refusalsOfAddress + 10; nth++) statuses.push((await forge()).status)
  expect(statuses.filter((it) => it === 401)).toHaveLength(limits.refusalsOfAddress)
  expect(statuses.filter((it) => it === 429)).toHaveLength(10)
  const noted = () =>
    shop
      .logLines()
      .slice(linesBefore)
      .filter(({ msg }) => msg === "callback rejected").length
  await expect.poll(noted).toBe(limits.refusalsOfAddress)
})
