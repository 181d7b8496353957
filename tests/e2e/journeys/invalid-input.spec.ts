import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { esEs } from "~/i18n/translations/es-es"
import { chooseAndPay } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { Browser } from "../../support/browser/no-script-browser"
import { invalidFieldsIn } from "../../support/html/form-errors"
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
  { prefix: "/de-de", language: "de-DE", translation: deDe },
  { prefix: "/es-es", language: "es-ES", translation: esEs },
]

type Translation = typeof enEn | typeof deDe | typeof esEs
type Fields = Record<string, string>
type Mistake = {
  mistake: string
  sent: Fields
  status: number
  wrong: (translation: Translation) => Fields
  preserved: Fields
}

const good = { plan: "1", email: "ana@example.test", gateway: "offshore", intent: "pay" }
const { plan: _, ...planless } = good
const endless = `${"a".repeat(10_000)}@example.test`

const mistakes: Mistake[] = [
  {
    mistake: "no plan",
    sent: planless,
    status: 400,
    wrong: (translation) => ({ plan: translation.checkout.plan.required }),
    preserved: { email: good.email },
  },
  {
    mistake: "a plan that is not for sale",
    sent: { ...good, plan: "99" },
    status: 422,
    wrong: (translation) => ({ plan: translation.checkout.plan.gone }),
    preserved: { email: good.email },
  },
  {
    mistake: "an invalid email",
    sent: { ...good, email: "ana at example" },
    status: 400,
    wrong: (translation) => ({ email: translation.checkout.email.invalid }),
    preserved: { email: "ana at example", plan: "1", gateway: "offshore" },
  },
  {
    mistake: "an email of 10,000 characters",
    sent: { ...good, email: endless },
    status: 400,
    wrong: (translation) => ({ email: translation.checkout.email.invalid }),
    preserved: { email: endless, plan: "1" },
  },
  {
    mistake: "an unknown promo code",
    sent: { ...good, promoCode: "NOPE" },
    status: 422,
    wrong: (translation) => ({ promoCode: translation.promotion.unknown }),
    preserved: { promoCode: "NOPE", email: good.email, plan: "1" },
  },
  {
    mistake: "a promo code for another plan",
    sent: { ...good, promoCode: "YEAR15" },
    status: 422,
    wrong: (translation) => ({ promoCode: translation.promotion["not-for-this-product"] }),
    preserved: { promoCode: "YEAR15", email: good.email, plan: "1" },
  },
  {
    mistake: "an expired promo code",
    sent: { ...good, promoCode: "SUMMER25", intent: "apply-promo" },
    status: 422,
    wrong: (translation) => ({ promoCode: translation.promotion.ended }),
    preserved: { promoCode: "SUMMER25", email: good.email, plan: "1" },
  },
  {
    mistake: "an unknown gateway",
    sent: { ...good, gateway: "piggybank" },
    status: 400,
    wrong: (translation) => ({ gateway: translation.checkout.gateway.required }),
    preserved: { email: good.email, plan: "1" },
  },
  {
    mistake: "no fields at all",
    sent: {},
    status: 400,
    preserved: { email: "" },
    wrong: ({ checkout }) => ({
      plan: checkout.plan.required,
      email: checkout.email.invalid,
      gateway: checkout.gateway.required,
    }),
  },
]

for (const { prefix, language, translation } of languages) {
  for (const { mistake, sent, status, wrong, preserved } of mistakes) {
    test(`${mistake} gets ${status} and a field error in ${language}`, async () => {
      const url = new URL(`${shop.url}/checkout${prefix || "/"}`)
      const entries = Object.entries(sent)
      const response = await new Browser().send({ action: "", method: "post", entries }, url)
      expect(response.status).toBe(status)
      expect(response.language).toBe(language)
      expect(invalidFieldsIn(response.body)).toEqual(wrong(translation))
      for (const [name, value] of Object.entries(preserved)) expect(response.field(name)).toBe(value)
    })
  }

  test(`a tampered total or draft gets 409 and the current price in ${language}`, async () => {
    const review = await chooseAndPay(new Browser(), { shop, prefix })
    expect(review.language).toBe(language)
    const { "price-changed": changed, "other-draft": other } = translation.review
    const tampered: [Fields, string][] = [
      [{ total: "1" }, changed],
      [{ total: "-7900" }, changed],
      [{ total: "much" }, changed],
      [{ draft: "another" }, other],
    ]
    for (const [tamper, message] of tampered) {
      const response = await review.submit({ having: "draft", tamper })
      expect(response.status).toBe(409)
      expect(response.text).toContain(message)
      expect(response.field("total")).toBe("7900")
    }
  })
}
