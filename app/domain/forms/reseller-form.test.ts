import { expect, test } from "vitest"
import type { z } from "zod"
import {
  ExistingResellerForm,
  LineForm,
  NewResellerForm,
  ResellerDraftForm,
  ResellerOrderForm,
  SaysExisting,
} from "./reseller-form"

const order = { key: "k-1", plan: "12", gateway: "offshore" }
const account = {
  email: "ana@example.test",
  newPassword: "tulips in march",
  confirmPassword: "tulips in march",
}
const line = { key: "k-1", serviceid: "7K3-QW_Z", notes: " for Leo " }

/** A schema's message keys by field. */
function errors(schema: z.ZodType, input: object) {
  const issues = schema.safeParse(input).error?.issues ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]))
}

test("ordering a reseller plan needs a plan, a gateway and the form's own key", () => {
  const typed = { ...order, promoCode: " YEAR15 ", shown: "7900" }
  expect(ResellerOrderForm.parse(typed)).toEqual({ ...order, promoCode: "YEAR15", shown: 7_900 })
  expect(errors(ResellerOrderForm, {})).toEqual({
    plan: "checkout.plan.required",
    gateway: "checkout.gateway.required",
    key: "checkout.plan.required",
  })
})

test.each(["", "two words", "<b>", "k".repeat(65), "k-1\n", "/k-1"])(
  "the key %j was not made by the page",
  (key) => {
    expect(errors(ResellerOrderForm, { ...order, key })).toEqual({ key: "checkout.plan.required" })
    expect(errors(LineForm, { ...line, key })).toEqual({ key: "checkout.plan.required" })
  },
)

test("an order takes nothing of the checkout's form that resellers are not asked for", () => {
  const more = { ...order, email: "ana@example.test", extraConnection: true }
  expect(ResellerOrderForm.parse(more)).toEqual(order)
})

test("a new account needs an e-mail and a password that is typed the same way twice", () => {
  expect(NewResellerForm.parse(account)).toEqual(account)
  expect(errors(NewResellerForm, { ...account, confirmPassword: "tulips in may" })).toEqual({
    confirmPassword: "resellers.notSame",
  })
  expect(errors(NewResellerForm, {})).toEqual({
    email: "checkout.email.invalid",
    newPassword: "password.tooShort",
    confirmPassword: "resellers.notSame",
  })
})

test("two passwords that differ are told so, also while the e-mail is wrong", () => {
  expect(errors(NewResellerForm, { ...account, email: "ana", confirmPassword: "tulips" })).toEqual({
    email: "checkout.email.invalid",
    confirmPassword: "resellers.notSame",
  })
})

test("a password that is typed the second time alone is told as missing, and not as another", () => {
  expect(errors(NewResellerForm, { ...account, newPassword: undefined })).toEqual({
    newPassword: "password.tooShort",
  })
})

test("a new account's password is held to the same length as any other", () => {
  const short = { ...account, newPassword: "tulips", confirmPassword: "tulips" }
  expect(errors(NewResellerForm, short)).toEqual({ newPassword: "password.tooShort" })
})

test("an account that there is needs its e-mail and its password", () => {
  expect(errors(ExistingResellerForm, {})).toEqual({
    email: "checkout.email.invalid",
    password: "signIn.passwordRequired",
  })
})

test("only who says so has an account", () => {
  expect(["yes", "no", "", "perhaps", undefined].map((text) => SaysExisting.parse(text))).toEqual([
    ...[true, false, false, false, false],
  ])
})

test("any button takes what has been chosen so far", () => {
  const draft = { plan: "12", email: "ana@example.test", gateway: "offshore", promoCode: "YEAR15" }
  expect(ResellerDraftForm.parse({ ...draft, extraConnection: true })).toEqual(draft)
  expect(ResellerDraftForm.parse({ plan: "<b>", gateway: "paypal" })).toEqual({})
})

test("a line is for a service of one's own, with a note or without", () => {
  expect(LineForm.parse(line)).toEqual({ ...line, notes: "for Leo" })
  expect(LineForm.parse({ ...line, notes: undefined })).toEqual({ ...line, notes: "" })
  expect(errors(LineForm, { ...line, serviceid: "../7" })).toEqual({ serviceid: "checkout.plan.required" })
})

test("a line's note is a hundred characters at most", () => {
  expect(errors(LineForm, { ...line, notes: "x".repeat(100) })).toEqual({})
  expect(errors(LineForm, { ...line, notes: "x".repeat(101) })).toEqual({ notes: "resellers.line.tooLong" })
})
