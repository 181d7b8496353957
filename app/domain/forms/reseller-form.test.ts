import { expect, test } from "vitest"
import type { z } from "zod"
import {
  ClaimsExisting,
  ExistingResellerForm,
  LineForm,
  NewResellerForm,
  ResellerOrderForm,
} from "./reseller-form"
import { shownCreditsText } from "./shown-prices"

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

test("ordering a reseller plan requires a plan, a gateway and the form's idempotency key", () => {
  const typed = { ...order, promoCode: " YEAR15 ", shown: "7900EUR" }
  expect(ResellerOrderForm.parse(typed)).toEqual({
    ...order,
    promoCode: "YEAR15",
    shown: { total: 7_900, currency: "EUR" },
  })
  expect(errors(ResellerOrderForm, {})).toEqual({
    plan: "checkout.plan.required",
    gateway: "checkout.gateway.required",
    key: "checkout.plan.required",
  })
})

test("an order says how many credits its page showed for the plans", () => {
  const credits = (text: string) => ResellerOrderForm.parse({ ...order, credits: text }).credits
  expect(credits("11:10 12:25")).toEqual(
    new Map([
      ["11", 10],
      ["12", 25],
    ]),
  )
  expect(["", "12", "12:", "12:many", "12:25;13:100"].map(credits)).toEqual(Array(5).fill(undefined))
})

test("the credits of a page are read as the page wrote them", () => {
  const plans = [
    { id: "11", credits: 10 },
    { id: "reseller_5-b", credits: 0 },
  ]
  const read = ResellerOrderForm.parse({ ...order, credits: shownCreditsText(plans) }).credits
  expect(read).toEqual(new Map(plans.map(({ id, credits }) => [id, credits])))
})

test.each(["", "two words", "<b>", "k".repeat(65), "k-1\n", "/k-1"])(
  "rejects the idempotency key %j",
  (key) => {
    expect(errors(ResellerOrderForm, { ...order, key })).toEqual({ key: "checkout.plan.required" })
    expect(errors(LineForm, { ...line, key })).toEqual({ key: "checkout.plan.required" })
  },
)

test("ignores checkout fields that the reseller form does not have", () => {
  const more = { ...order, email: "ana@example.test", extraConnection: true }
  expect(ResellerOrderForm.parse(more)).toEqual(order)
})

test("a new account requires an e-mail and two equal passwords", () => {
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

test("reports two different passwords, also with an invalid e-mail", () => {
  expect(errors(NewResellerForm, { ...account, email: "ana", confirmPassword: "tulips" })).toEqual({
    email: "checkout.email.invalid",
    confirmPassword: "resellers.notSame",
  })
})

test("reports a missing password when only the repetition is filled in", () => {
  expect(errors(NewResellerForm, { ...account, newPassword: undefined })).toEqual({
    newPassword: "password.tooShort",
  })
})

test("a new account's password has the same length limits as any other", () => {
  const short = { ...account, newPassword: "tulips", confirmPassword: "tulips" }
  expect(errors(NewResellerForm, short)).toEqual({ newPassword: "password.tooShort" })
})

test("an existing account requires e-mail and password", () => {
  expect(errors(ExistingResellerForm, {})).toEqual({
    email: "checkout.email.invalid",
    password: "signIn.passwordRequired",
  })
})

test("treats a buyer as new unless the form says otherwise", () => {
  expect(["yes", "no", "", "perhaps", undefined].map((text) => ClaimsExisting.parse(text))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

test("a line form names a service, with or without a note", () => {
  expect(LineForm.parse(line)).toEqual({ ...line, notes: "for Leo" })
  expect(LineForm.parse({ ...line, notes: undefined })).toEqual({ ...line, notes: "" })
  expect(errors(LineForm, { ...line, serviceid: "../7" })).toEqual({ serviceid: "checkout.plan.required" })
})

test("rejects a line note of more than 100 characters", () => {
  expect(errors(LineForm, { ...line, notes: "x".repeat(100) })).toEqual({})
  expect(errors(LineForm, { ...line, notes: "x".repeat(101) })).toEqual({ notes: "resellers.line.tooLong" })
})
