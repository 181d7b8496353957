import { expect, test } from "vitest"
import { CheckoutForm, CreatingOrderForm, DraftForm, IntentField, PromoForm } from "./checkout-form"

const complete = { plan: "3", email: "ana@example.test", gateway: "offshore" }

/** A schema's message keys by field. */
function errors(schema: typeof CheckoutForm | typeof PromoForm | typeof CreatingOrderForm, input: object) {
  const parsed = schema.safeParse(input)
  const issues = parsed.error?.issues ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]))
}

test("a complete form yields complete choices without unticked extras", () => {
  expect(CheckoutForm.parse(complete)).toEqual({
    ...complete,
    extraConnection: false,
    proxyProtection: false,
  })
})

test("an extra with a value that the page does not send is not chosen", () => {
  const typed = { ...complete, extraConnection: "banana", proxyProtection: "1e9" }
  expect(CheckoutForm.parse(typed)).toMatchObject({ extraConnection: false, proxyProtection: false })
})

test.each([
  ["7900GBP", { total: 7_900, currency: "GBP" }],
  ["7900", { total: 7_900 }],
  ["-1EUR", undefined],
  ["7900 euros", undefined],
])("reads %j as the total that the page showed", (shown, expected) => {
  expect(CheckoutForm.parse({ ...complete, shown }).shown).toEqual(expected)
})

test("trims e-mail and promo code", () => {
  const choice = CheckoutForm.parse({ ...complete, email: " ana@example.test ", promoCode: " WELCOME10 " })
  expect(choice).toMatchObject({ email: "ana@example.test", promoCode: "WELCOME10" })
})

test("leaves out what was copied along with an e-mail, when paying and in a draft", () => {
  const copied = { ...complete, email: "<ana@example.test>," }
  expect([CheckoutForm.parse(copied).email, DraftForm.parse(copied).email]).toEqual([
    "ana@example.test",
    "ana@example.test",
  ])
})

test("trims the e-mail of a draft", () => {
  expect(DraftForm.parse({ email: " ana@example.test " })).toMatchObject({ email: "ana@example.test" })
})

test("an empty form reports every field that paying requires", () => {
  expect(errors(CheckoutForm, {})).toEqual({
    plan: "checkout.plan.required",
    email: "checkout.email.invalid",
    gateway: "checkout.gateway.required",
  })
})

test.each([
  ["plan", "", "checkout.plan.required"],
  ["plan", "3 or 1=1", "checkout.plan.required"],
  ["plan", "3".repeat(65), "checkout.plan.required"],
  ["plan", ["3", "4"], "checkout.plan.required"],
  ["email", "ana at example", "checkout.email.invalid"],
  ["email", `${"a".repeat(10_000)}@example.test`, "checkout.email.invalid"],
  ["email", ["ana@example.test"], "checkout.email.invalid"],
  ["gateway", "paypal", "checkout.gateway.required"],
  ["gateway", "__proto__", "checkout.gateway.required"],
  ["promoCode", "X".repeat(65), "promotion.unknown"],
])("rejects paying with %s %j with the message %s", (field, value, message) => {
  expect(errors(CheckoutForm, { ...complete, [field]: value })).toEqual({ [field]: message })
})

test("applying a promo code requires a plan and a code", () => {
  expect(errors(PromoForm, {})).toEqual({
    plan: "checkout.plan.required",
    promoCode: "checkout.promo.required",
  })
  expect(errors(PromoForm, { plan: "3", promoCode: "   " })).toEqual({
    promoCode: "checkout.promo.required",
  })
  expect(errors(PromoForm, { plan: "3", promoCode: "X".repeat(65) })).toEqual({
    promoCode: "promotion.unknown",
  })
  expect(PromoForm.parse({ plan: "3", promoCode: " YEAR15 ", email: "not yet" })).toMatchObject({
    promoCode: "YEAR15",
  })
})

test("updating the total keeps valid fields and ignores invalid ones", () => {
  expect(DraftForm.parse({ email: "电".repeat(85) }).email).toBeUndefined()
  const typed = { plan: "<b>", email: "a".repeat(300), gateway: "paypal", promoCode: "X".repeat(65) }
  expect(DraftForm.parse(typed)).toEqual({ extraConnection: false, proxyProtection: false })
  expect(DraftForm.parse({})).toEqual({ extraConnection: false, proxyProtection: false })
})

test("a missing or unknown intent means paying, with full validation", () => {
  expect(
    ["update", "apply-promo", "remove-promo", "pay"].map((intent) => IntentField.parse({ intent }).intent),
  ).toEqual(["update", "apply-promo", "remove-promo", "pay"])
  expect([{}, { intent: "steal" }, { intent: ["update"] }].map((it) => IntentField.parse(it).intent)).toEqual(
    Array(3).fill("pay"),
  )
})

test.each(["-1", "1.5", "free", "1e400", undefined])("rejects %j as the agreed total", (total) => {
  expect(Object.keys(errors(CreatingOrderForm, { draft: "d1", total }))).toEqual(["total"])
})

test("the review step submits its draft and the total in cents", () => {
  expect(CreatingOrderForm.parse({ draft: "d1", total: "8901" })).toEqual({ draft: "d1", total: 8_901 })
})
