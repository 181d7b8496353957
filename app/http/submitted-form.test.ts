import { expect, test } from "vitest"
import { CheckoutForm } from "~/domain/forms/checkout-form"
import { PasswordForm, SignInForm } from "~/domain/forms/service-form"
import { refused, submitted } from "./submitted-form.server"

function formWith(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

const signIn = (fields: Record<string, string>) => submitted(formWith(fields), SignInForm)

test("the answer to a refused form has its errors and what was typed, and no password", () => {
  const submission = signIn({ email: " ana at example", password: "tulips in march" })
  expect(refused(submission)).toEqual({
    status: "error",
    initialValue: { email: " ana at example" },
    error: { email: ["checkout.email.invalid"] },
    fields: ["email", "password"],
  })
})

test("hides the passwords of every form, however they are sent", () => {
  const typed = { password: "one", newPassword: "two", confirmPassword: "three", "password[0]": "four" }
  expect(JSON.stringify(refused(submitted(formWith(typed), PasswordForm)))).not.toMatch(/one|two|three|four/)
})

test("a valid form can be refused for another reason", () => {
  const submission = signIn({ email: "ana@example.test", password: "tulips in march" })
  expect(submission.status).toBe("success")
  expect(refused(submission, { formErrors: ["signIn.wrong"] })).toMatchObject({
    status: "error",
    error: { "": ["signIn.wrong"] },
  })
  expect(refused(submission, { fieldErrors: { email: ["promotion.unknown"] } })).toMatchObject({
    error: { email: ["promotion.unknown"] },
  })
})

test("errors are in the order of the form's fields, after those of the whole form", () => {
  const submission = submitted(
    formWith({ plan: "2", email: "", gateway: "coins", promoCode: "NOPE" }),
    CheckoutForm,
  )
  const known = {
    promoCode: ["promotion.unknown"],
    gateway: ["checkout.gateway.gone"],
    email: ["checkout.email.invalid"],
  }
  const { error } = refused(submission, { formErrors: ["checkout.paused"], fieldErrors: known })
  expect(Object.keys(error ?? {})).toEqual(["", "email", "gateway", "promoCode"])
  const twins = { plan: ["checkout.plan.gone"], email: ["checkout.email.invalid"] }
  expect(Object.keys(refused(submission, { fieldErrors: twins }).error ?? {})).toEqual([
    "plan",
    "email",
    "gateway",
  ])
})

test("errors of boxes that are not ticked come last, in the order of the boxes", () => {
  const typed = { plan: "2", email: "ana@example.test", gateway: "offshore" }
  const boxes = {
    email: ["checkout.email.unreachable"],
    consent: ["checkout.declare.consent"],
    acknowledgement: ["checkout.declare.acknowledgement"],
  }
  const { error } = refused(submitted(formWith(typed), CheckoutForm), { fieldErrors: boxes })
  expect(Object.keys(error ?? {})).toEqual(["email", "consent", "acknowledgement"])
})

test.each(["not JSON", '{"type":"reset","payload":{}}', '{"type":"validate","payload":{"name":"email"}}'])(
  "ignores a forged control of the form library: %s",
  (control) => {
    const typed = { email: "ana@example.test", password: "x", __intent__: control, __state__: control }
    expect(signIn(typed)).toMatchObject({ status: "success", value: { email: "ana@example.test" } })
  },
)

test("ignores nested fields, which no form has, at any depth", () => {
  const submission = signIn({ email: "ana at example", [`a${".a".repeat(20_000)}`]: "x" })
  expect(refused(submission)).toMatchObject({ initialValue: { email: "ana at example" } })
})
