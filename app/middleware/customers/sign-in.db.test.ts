import { expect, test } from "vitest"
import { BillingOverloaded } from "~/billing/billing"
import { meet } from "../../../tests/fixtures/middleware-harness"
import { buy } from "../../../tests/fixtures/purchase"
import { NOON, openTestShop } from "../../../tests/fixtures/test-shop"
import { signIn } from "./sign-in.server"
import { signOut } from "./sign-out.server"

const PASSWORD = "correct horse battery"
const right = { email: "ana@example.test", password: PASSWORD }

/** The screen after a refusal, with what was typed except the password. */
const wrongScreen = (email: string, error: string) => ({
  lastResult: { initialValue: { email }, error: { "": [error] } },
})

test.each([
  ["/checkout/de-de?signin", "/checkout/de-de/success"],
  ["/checkout/de-de/success?signin", "/checkout/de-de/success"],
  ["/checkout/de-de/resellers?signin", "/checkout/de-de/resellers/success"],
  ["/checkout/de-de/waiting?signin&resume=a.b", "/checkout/de-de/waiting?resume=a.b"],
  ["//evil.test/x?signin", "/evil.test/x"],
])("the correct password on %s redirects to %s", async (path, location) => {
  const { services } = await withCustomer()
  const met = await meet(signIn, { services, path, form: right })
  expect(met).toMatchObject({ location, session: { customer: { email: "ana@example.test" } } })
})

test.each([
  ["a wrong password", { ...right, password: "wrong horse" }],
  ["an unknown e-mail", { ...right, email: "nobody@example.test" }],
])("%s gets the same response", async (_, form) => {
  const { services } = await withCustomer()
  const met = await meet(signIn, { services, path: "/checkout/de-de?signin", form })
  expect(met).toMatchObject({ status: 401, screen: wrongScreen(form.email, "signIn.wrong") })
  expect(met.session.customer).toBeNull()
})

test.each([
  ["an invalid e-mail", { email: "ana at example", password: "x" }, "email"],
  ["no password", { email: "ana@example.test", password: "" }, "password"],
])("%s shows an error at the field and keeps the input", async (_, form, field) => {
  const { services } = await withCustomer()
  const met = await meet(signIn, { services, path: "/checkout/de-de?signin", form })
  expect(met).toMatchObject({
    status: 400,
    screen: { lastResult: { initialValue: { email: form.email }, error: { [field]: [expect.any(String)] } } },
  })
})

test("too many attempts show how long to wait", async () => {
  const { services } = await withCustomer()
  const form = { ...right, password: "wrong horse" }
  const visit = { services, path: "/checkout/de-de?signin", form, address: "93.184.216.34" }
  for (let attempts = 0; attempts < 6; attempts++) await meet(signIn, visit)
  const met = await meet(signIn, visit)
  expect(met).toMatchObject({ status: 429, screen: wrongScreen(right.email, "signIn.tooMany") })
})

test("too many simultaneous sign-ins show the form with a message, and the attempt is not counted", async () => {
  const { services } = await withCustomer()
  const billing = { ...services.billing, signIn: () => Promise.reject(new BillingOverloaded(5)) }
  const visit = {
    services: { ...services, billing },
    path: "/checkout/de-de?signin",
    form: right,
    address: "93.184.216.34",
  }
  for (let attempts = 0; attempts < 10; attempts++) {
    expect(await meet(signIn, visit)).toMatchObject({
      status: 503,
      screen: { ...wrongScreen(right.email, "signIn.busy"), retryAfterSeconds: 5 },
    })
  }
  expect(await meet(signIn, { ...visit, services })).toMatchObject({ location: "/checkout/de-de/success" })
})

test("shows the sign-in screen to signed-out visitors only", async () => {
  const { services } = await openTestShop()
  const visit = { services, path: "/checkout/de-de/resellers?signin" }
  expect(await meet(signIn, visit)).toMatchObject({ status: 200, screen: { reason: "asked" } })
  const customer = {
    id: "c1",
    email: "ana@example.test",
    currency: "EUR" as const,
    reach: "account" as const,
  }
  expect(await meet(signIn, { ...visit, session: { customer } })).toMatchObject({
    location: "/checkout/de-de/success",
  })
})

test("signing out removes the customer from the session and leads to the checkout", async () => {
  const { services } = await openTestShop()
  const customer = {
    id: "c1",
    email: "ana@example.test",
    currency: "EUR" as const,
    reach: "account" as const,
  }
  const session = { customer, orderId: "K7QM2XDT93", serviceIds: ["s1"], serviceId: "s1" }
  const met = await meet(signOut, { services, path: "/checkout/de-de/success?signout", session, form: {} })
  expect(met).toMatchObject({
    location: "/checkout/de-de",
    session: { customer: null, orderId: null, serviceIds: [], serviceId: null },
  })
})

test("a GET signs no one out", async () => {
  const { services } = await openTestShop()
  const customer = {
    id: "c1",
    email: "ana@example.test",
    currency: "EUR" as const,
    reach: "account" as const,
  }
  const met = await meet(signOut, { services, path: "/checkout/de-de?signout", session: { customer } })
  expect(met).toMatchObject({ location: null, session: { customer } })
})

async function withCustomer() {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  await shop.services.billing.setPassword({ id: order.customerId, reach: "account" }, PASSWORD, () => NOON)
  return shop
}
