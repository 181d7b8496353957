import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { ptPt } from "~/i18n/translations/pt-pt"
import { goToGateway } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { invalidFieldsIn } from "../../support/html/form-errors"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

/** Numbers of rows that a rejected sign-up must not change. */
function counted() {
  const { orders, clients } = readStoredRows(shop.dataDir)
  return { orders: orders.length, clients }
}

type Translation = typeof enEn | typeof deDe | typeof ptPt
type Fields = Record<string, string>
type Mistake = [string, Fields, number, (translation: Translation) => Fields]

const PASSWORD = "correct horse battery staple"
const account = {
  existing: "no",
  email: "ana@example.test",
  newPassword: PASSWORD,
  confirmPassword: PASSWORD,
}
const good: Fields = { ...account, plan: "12", gateway: "offshore", key: "form-1", intent: "pay" }
const existing: Fields = { ...good, existing: "yes", password: "whatever it is" }

const mistakes: Mistake[] = [
  ["no plan", { ...good, plan: "" }, 400, ({ checkout }) => ({ plan: checkout.plan.required })],
  ["a plan for viewers", { ...good, plan: "3" }, 422, ({ checkout }) => ({ plan: checkout.plan.gone })],
  ["no gateway", { ...good, gateway: "" }, 400, ({ checkout }) => ({ gateway: checkout.gateway.required })],
  ["an invalid email", { ...good, email: "ana" }, 400, ({ checkout }) => ({ email: checkout.email.invalid })],
  [
    "a short password",
    { ...good, newPassword: "short", confirmPassword: "short" },
    400,
    ({ password }) => ({ newPassword: password.tooShort }),
  ],
  [
    "a common password",
    { ...good, newPassword: "qwertyuiop", confirmPassword: "qwertyuiop" },
    422,
    ({ password }) => ({ newPassword: password.guessable }),
  ],
  [
    "a password above the maximum length",
    { ...good, newPassword: "x".repeat(201), confirmPassword: "x".repeat(201) },
    400,
    ({ password }) => ({ newPassword: password.tooLong }),
  ],
  [
    "two different passwords",
    { ...good, confirmPassword: PASSWORD.toUpperCase() },
    400,
    ({ resellers }) => ({ confirmPassword: resellers.notSame }),
  ],
  [
    "an existing account without its password",
    { ...existing, password: "" },
    400,
    ({ signIn }) => ({ password: signIn.passwordRequired }),
  ],
  [
    "a promo code for other plans",
    { ...good, promoCode: "YEAR15" },
    422,
    ({ promotion }) => ({ promoCode: promotion["not-for-this-product"] }),
  ],
]

for (const { prefix, translation } of [
  { prefix: "", translation: enEn },
  { prefix: "/de-de", translation: deDe },
  { prefix: "/pt-pt", translation: ptPt },
]) {
  for (const [mistake, sent, status, wrong] of mistakes) {
    test(`${mistake} gets ${status} and a field error at ${prefix || "/"}`, async () => {
      const before = counted()
      const url = new URL(`${shop.url}/checkout${prefix}/resellers`)
      const response = await new Browser().send(
        { action: "", method: "post", entries: Object.entries(sent) },
        url,
      )
      expect(response.status).toBe(status)
      expect(invalidFieldsIn(response.body)).toEqual(wrong(translation))
      expect(response.field("email")).toBe(sent.email)
      for (const name of ["password", "newPassword", "confirmPassword"]) expect(response.field(name)).toBe("")
      expect(response.body).not.toContain(PASSWORD)
      expect(counted()).toEqual(before)
    })
  }
}

test("an unknown account gets 401 like a wrong password, and nothing is stored", async () => {
  const before = counted()
  const url = new URL(`${shop.url}/checkout/resellers`)
  const response = await new Browser().send(
    { action: "", method: "post", entries: Object.entries(existing) },
    url,
  )
  expect(response.status).toBe(401)
  expect(response.text.split(enEn.resellers.wrongPassword)).toHaveLength(2)
  expect(response.text).not.toContain(enEn.resellers.wrong)
  expect(counted()).toEqual(before)
})

test("fields of a new account are ignored for an existing account", async () => {
  const before = counted()
  const url = new URL(`${shop.url}/checkout/resellers`)
  const { password: _, ...withoutPassword } = existing
  const sent = { ...withoutPassword, newPassword: PASSWORD, confirmPassword: PASSWORD }
  const response = await new Browser().send(
    { action: "", method: "post", entries: Object.entries(sent) },
    url,
  )
  expect(invalidFieldsIn(response.body)).toEqual({ password: enEn.signIn.passwordRequired })
  expect(counted()).toEqual(before)
})

test("five concurrent submissions of the sign-up create one account and one order", async () => {
  const page = await new Browser().visit(`${shop.url}/checkout/resellers`)
  const email = uniqueEmail()
  const fields = { ...account, email }
  const presses = Array.from({ length: 5 }, () => page.submit({ having: "newPassword", fields }))
  const reviews = await Promise.all(presses)
  expect(reviews.map(({ url }) => url.pathname)).toEqual(Array(5).fill("/checkout/creatingOrder"))
  const payments = await Promise.all(reviews.map(goToGateway))
  expect(new Set(payments.map(({ url }) => url.href)).size).toBe(1)
  const { orders, clients } = readStoredRows(shop.dataDir, email)
  expect([orders.length, clients]).toEqual([1, 1])
})
