import { expect } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { nlNl } from "~/i18n/translations/nl-nl"
import { chooseAndPay } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { Browser } from "../../support/browser/no-script-browser"
import { alertsIn } from "../../support/html/form-errors"
import { rawRequest } from "../../support/http/raw-request"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
let before: { orders: number; clients: number }
test.beforeEach(() => {
  before = counted()
})
test.afterEach(() => {
  expect(counted()).toEqual(before)
})

/** Numbers of rows that a rejected request must not change. */
function counted() {
  const { orders, clients } = readStoredRows(shop.dataDir)
  return { orders: orders.length, clients }
}

const languages = [
  { prefix: "", language: "en", translation: enEn },
  { prefix: "/nl-nl", language: "nl-NL", translation: nlNl },
]
const bodies = [
  { what: "JSON", type: "application/json", body: '{"plan":"1"}' },
  {
    what: "binary data without a type",
    type: "application/octet-stream",
    body: Buffer.from([0, 255, 1, 254]),
  },
  {
    what: "a truncated multipart form",
    type: "multipart/form-data; boundary=x",
    body: "--x\r\nContent-Disp",
  },
  { what: "nothing", type: "application/x-www-form-urlencoded", body: "" },
]
const huge = { plan: "1", email: "a".repeat(2 * 1024 * 1024) }

for (const { prefix, language, translation } of languages) {
  const checkout = `/checkout${prefix || "/"}`
  const reviewStep = `/checkout${prefix}/creatingOrder`

  for (const { what, type, body } of bodies) {
    test(`${what} instead of a form gets the errors of an empty form, in ${language}`, async () => {
      const request = { body, headers: { "content-type": type } }
      const response = await new Browser().post(shop.url + checkout, request)
      expect(response.status).toBe(400)
      expect(response.language).toBe(language)
      const { plan, email, gateway } = translation.checkout
      expect(alertsIn(response.body).sort()).toEqual([plan.required, email.invalid, gateway.required].sort())

      const browser = new Browser()
      const review = await chooseAndPay(browser, { shop, prefix })
      expect(review.url.pathname).toBe(reviewStep)
      const confirmPage = await browser.post(review.url, request)
      expect(confirmPage.status).toBe(409)
      expect(alertsIn(confirmPage.body)).toEqual([translation.review["price-changed"]])
    })
  }

  for (const screen of [checkout, reviewStep]) {
    test(`2 MB sent to ${screen} get 413 and an error page`, async () => {
      const response = await new Browser().post(shop.url + screen, { body: new URLSearchParams(huge) })
      expect(response.status).toBe(413)
      expect(response.language).toBe(language)
      expect(response.text).toContain(translation.error["too-large"])
      expect(response.text).toContain(translation.error.lead["too-large"])
    })

    test(`a form sent to ${screen} from another site gets 403 and an error page`, async () => {
      const browser = new Browser()
      await chooseAndPay(browser, { shop, prefix })
      const body = new URLSearchParams({ plan: "1", email: "ana@example.test", gateway: "offshore" })
      for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }]) {
        const response = await browser.post(shop.url + screen, { body, headers })
        expect(response.status).toBe(403)
        expect(response.language).toBe(language)
        expect(response.text).toContain(translation.error["forbidden-origin"])
        expect(response.text).toContain(translation.error.lead["forbidden-origin"])
      }
    })
  }
}

test("no address makes the shop write a line that is not one of its log", async () => {
  const before = shop.output().length
  for (const [method, path] of [
    ["GET", "/checkout/%"],
    ["GET", "/checkout/%c0%ae%c0%ae/"],
    ["GET", "/checkout/success%ff.data"],
    ["GET", "/elsewhere/../checkout"],
    ["POST", "/checkout"],
  ] as const) {
    const { status } = await rawRequest(shop.url, path, { method, headers: { accept: "text/html" } })
    expect([path, status]).toEqual([path, 404])
  }
  const lines = () => shop.output().slice(before).trimEnd().split("\n")
  await expect
    .poll(() => lines().some((line) => line.includes('"method":"POST","path":"/checkout"')))
    .toBe(true)
  expect(lines().filter((line) => !line.startsWith("{"))).toEqual([])
})
