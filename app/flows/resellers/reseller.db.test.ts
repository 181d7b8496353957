import { expect, test } from "vitest"
import type { Customer } from "~/domain/customers/customer"
import { emptyChoices } from "~/domain/orders/choices"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { reviewOrder } from "~/flows/checkout/review-order.server"
import { showResellerOffer } from "~/flows/checkout/show-offer.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { showAccess } from "~/flows/services/show-access.server"
import { browserWith, buyPlan, pay, request } from "../../../tests/fixtures/purchase"
import { choice, openTestShop, pricing, type TestShop } from "../../../tests/fixtures/test-shop"
import { createLine } from "./create-line.server"
import { ownResellerAccount, showReseller } from "./show-reseller.server"
import { type ResellerBuyer, startResellerReview } from "./start-reseller-review.server"

const PASSWORD = "correct horse battery staple"
const anonymous = { address: "93.184.216.34", visitor: null, authenticated: false }
const newCustomer: ResellerBuyer = { kind: "new", email: "ana@example.test", password: PASSWORD }

test("preselects the second plan unless the operator configured another", async () => {
  const { services } = await openTestShop()
  const chosen = async (shop: Partial<TestShop["services"]["shop"]>, claimsExisting = false) => {
    const deciding = { ...services, shop: { ...services.shop, ...shop } }
    const offer = await showResellerOffer(deciding, emptyChoices, {
      customer: null,
      claimsExisting,
      currency: "EUR",
      locale: "en-en",
    })
    return offer?.choices.plan
  }
  expect(await chosen({})).toBe("12")
  expect(await chosen({ defaultResellerPlan: "13" })).toBe("13")
  expect(await chosen({ defaultResellerPlan: "13", newResellerPlan: "11" })).toBe("11")
  expect(await chosen({ defaultResellerPlan: "13", newResellerPlan: "11" }, true)).toBe("13")
  expect(await chosen({ newResellerPlan: "11" }, true)).toBe("12")
  expect(await chosen({ defaultResellerPlan: "99" })).toBe("12")
})

test.each([
  ["decides on terms, which end no reseller's account", "onetime"],
  ["leaves terms to its billing system", "recurring"],
])("a reseller plan of a shop that %s is sold as %s", async (_, payType) => {
  const { services } = await openTestShop()
  const { shop } = services
  const deciding = { ...services, shop: payType === "recurring" ? { ...shop, terms: null } : shop }
  const offer = await showResellerOffer(deciding, emptyChoices, {
    customer: null,
    claimsExisting: false,
    currency: "EUR",
    locale: "en-en",
  })
  expect(new Set(offer?.plans.map((plan) => plan.payType))).toEqual(new Set([payType]))
})

test("drops viewer choices on the reseller page and keeps the e-mail", async () => {
  const { services } = await openTestShop()
  const viewers = { ...emptyChoices, plan: "3", promoCode: "YEAR15", email: "ana@example.test" }
  const offer = await showResellerOffer(services, viewers, {
    customer: null,
    claimsExisting: false,
    currency: "EUR",
    locale: "en-en",
  })
  expect(offer?.choices).toMatchObject({
    kind: "reseller",
    plan: "12",
    promoCode: null,
    email: viewers.email,
  })
  expect(offer?.errors).toEqual({})
})

test("creates the account of a new reseller and prices the order by the month", async () => {
  const shop = await openTestShop()
  const start = await started(shop)
  expect(start).toMatchObject({ kind: "ready", total: 109_00, customer: { email: "ana@example.test" } })
  expect((await started(shop, { buyer: { ...newCustomer, kind: "existing" } })).kind).toBe("ready")
})

test.each<[string, Parameters<typeof started>[1], string, string]>([
  ["a viewer plan", { plan: "3" }, "plan", "checkout.plan.gone"],
  ["a promo code for other plans", { promoCode: "YEAR15" }, "promoCode", "promotion.not-for-this-product"],
  [
    "a common password",
    { buyer: { ...newCustomer, password: "password12" } },
    "newPassword",
    "password.guessable",
  ],
  [
    "the own e-mail as password",
    { buyer: { ...newCustomer, password: "ana@example.test" } },
    "newPassword",
    "password.guessable",
  ],
])("rejects %s at its field and creates no account", async (_, input, field, reason) => {
  const shop = await openTestShop()
  expect(await started(shop, input)).toEqual({ kind: "rejected", field, reason })
  expect(await shop.services.billing.customerOf("ana@example.test")).toBeNull()
})

test("a wrong password, an unknown e-mail and a registered e-mail give the same result", async () => {
  const shop = await openTestShop()
  await started(shop)
  const wrong: ResellerBuyer[] = [
    { kind: "existing", email: "ana@example.test", password: "another password" },
    { kind: "existing", email: "nobody@example.test", password: PASSWORD },
    { kind: "new", email: "ana@example.test", password: "another good password" },
  ]
  for (const buyer of wrong) expect(await started(shop, { buyer })).toEqual({ kind: "wrong" })
})

test("applies a promo code that is valid for the reseller plan", async () => {
  const shop = await openTestShop()
  expect(await started(shop, { promoCode: "welcome10" })).toMatchObject({ kind: "ready", total: 98_10 })
})

test("limits attempts across sign-in and sign-up", async () => {
  const shop = await openTestShop()
  const guess: ResellerBuyer = { kind: "existing", email: "ana@example.test", password: "another password" }
  for (let attempts = 0; attempts < 6; attempts++) await started(shop, { buyer: guess })
  expect(await started(shop, { buyer: guess })).toMatchObject({ kind: "too-many" })
  expect(await started(shop)).toMatchObject({ kind: "too-many" })
})

test("the idempotency key is the same for the same form and choices, and differs otherwise", async () => {
  const shop = await openTestShop()
  const keys = async (requests: Parameters<typeof started>[1][]) =>
    Promise.all(requests.map(async (it) => ((await started(shop, it)) as { key: string }).key))
  const [first, again, other, next] = await keys([{}, {}, { plan: "13" }, { key: "form-2" }])
  expect(again).toBe(first)
  expect(new Set([first, other, next]).size).toBe(3)
})

test("rejects a reseller order without an authenticated customer", async () => {
  const shop = await openTestShop()
  const { choices, key } = ready(await started(shop))
  const order = request({ choices, key, customer: null, agreedTotal: 109_00 })
  expect(await placeOrder(shop.services, order)).toMatchObject({ kind: "rejected" })
})

test("asks the buyer again when the plan has another number of credits than the one agreed to", async () => {
  const shop = await openTestShop()
  const { choices, key, total, credits: agreedCredits, customer } = ready(await started(shop))
  expect(agreedCredits).toBe(25)
  const plans = await shop.services.billing.resellerPlans()
  const edited = plans.map((it) => (it.id === "12" ? { ...it, credits: 10 } : it))
  const billing = { ...shop.services.billing, resellerPlans: async () => edited }
  const services = { ...shop.services, billing }
  const draft = { choices, customer, orderId: null, agreedTotal: total, currency: "EUR" as const }
  expect(await reviewOrder(services, { ...draft, agreedCredits })).toMatchObject({
    credits: 10,
    error: "credits-changed",
  })
  const order = request({ choices, key, customer, agreedTotal: total, agreedCredits })
  expect(await placeOrder(services, order)).toEqual({ kind: "credits-changed", credits: 10, total })
  expect(await reviewOrder(services, { ...draft, agreedCredits: 10 })).toMatchObject({ error: null })
  expect(await placeOrder(services, { ...order, agreedCredits: 10 })).toMatchObject({ kind: "placed" })
})

test("asks the buyer again when the page showed another number of credits", async () => {
  const shop = await openTestShop()
  const agreed = { code: null, shown: undefined, credits: new Map([["12", 30]]) }
  const { choices, total, credits: agreedCredits, customer } = ready(await started(shop, { agreed }))
  expect(agreedCredits).toBe(30)
  const draft = { choices, customer, orderId: null, agreedTotal: total, agreedCredits }
  expect(await reviewOrder(shop.services, { ...draft, currency: "EUR" })).toMatchObject({
    credits: 25,
    error: "credits-changed",
  })
})

test("a page that does not show the credits of a plan leaves those that it has", async () => {
  const shop = await openTestShop()
  const agreed = { code: null, shown: undefined, credits: new Map([["13", 100]]) }
  expect(ready(await started(shop, { agreed })).credits).toBe(25)
})

test("a plan grants the credits that it had when it was ordered", async () => {
  const shop = await openTestShop()
  const { choices, key, total, customer } = ready(await started(shop))
  const { billing } = shop.services
  const edited = (await billing.resellerPlans()).map((it) => ({ ...it, credits: 40 }))
  const services = { ...shop.services, billing: { ...billing, resellerPlans: async () => edited } }
  const placed = await placeOrder(services, request({ choices, key, customer, agreedTotal: total }))
  if (placed.kind !== "placed" || !customer) throw new Error("The order was not placed")
  await openPayment(shop.services, placed.order, { gateway: "offshore", coin: null })
  await pay(shop, placed.order)
  const account = { id: customer.id, reach: "account" } as const
  expect((await billing.resellerCredits(account, 1)).balance).toBe(40)
})

test("a paid plan creates the reseller account with credits, and a credit creates a line", async () => {
  const { shop, customer, order } = await withPlan()
  const visitor = { orderId: order.id, serviceIds: [order.serviceId], serviceId: null, customer }
  const access = await showReseller(shop.services, visitor)
  expect(access).toMatchObject({
    // The plan buys credits, which do not end.
    service: { kind: "reseller", status: "Active", name: "Reseller 25", paidUntil: null },
    ready: true,
    resellerCredits: { balance: 25 },
    lines: [],
  })
  if (!access) throw new Error("no access")
  const input = { customer, service: access.service, key: "line-1", notes: "Leo", locale: "en-en" as const }
  expect(
    await createLine(shop.services, { ...input, address: null, country: "XX", browser: null }),
  ).toMatchObject({
    kind: "made",
  })
  await runJobs(shop.services)
  expect(await showReseller(shop.services, visitor)).toMatchObject({
    resellerCredits: {
      balance: 24,
      movements: [
        { cause: "line", amount: -1 },
        { cause: "plan", amount: 25 },
      ],
    },
    lines: [
      { notes: "Leo", status: "Active", kind: "plan", name: "1 month", term: { count: 1 }, cycle: "monthly" },
    ],
  })
})

test("a reseller who signs in sees the reseller account first, not a customer's line", async () => {
  const { shop, customer, order } = await withPlan()
  const visitor = browserWith(null, customer)
  const access = await showReseller(shop.services, visitor)
  if (!access) throw new Error("no access")
  const input = { customer, service: access.service, key: "line-1", notes: "Leo", locale: "en-en" as const }
  await createLine(shop.services, { ...input, address: null, country: "XX", browser: null })
  await runJobs(shop.services)
  expect((await showAccess(shop.services, visitor))?.service.id).toBe(order.serviceId)
  const [line] = (await showReseller(shop.services, visitor))?.lines ?? []
  const chosen = { ...visitor, serviceId: line?.id ?? null }
  expect((await showAccess(shop.services, chosen))?.service.id).toBe(line?.id)
})

test("a link to the reseller account is for customers who have one", async () => {
  const { shop, customer, order } = await withPlan()
  const has = async (visitor: Parameters<typeof ownResellerAccount>[1]) =>
    ownResellerAccount(shop.services, visitor)
  expect(await has(browserWith(null, customer))).toEqual({ hasPage: true, isOpen: true })
  expect(await has(browserWith(order))).toEqual({ hasPage: true, isOpen: false })
  const viewer = await buyPlan(shop, { key: "draft-2", choices: { ...choice, email: "ben@example.test" } })
  const ben = browserWith(null, { id: viewer.customerId, reach: "account" })
  expect(await has(ben)).toEqual({ hasPage: false, isOpen: false })
})

test("a browser that resumed the order sees the account, but no credits and no lines", async () => {
  const { shop, order } = await withPlan()
  const otherSession = { orderId: order.id, serviceIds: [order.serviceId], serviceId: null, customer: null }
  expect(await showReseller(shop.services, otherSession)).toMatchObject({ resellerCredits: null, lines: [] })
})

function started({ services }: TestShop, input: Partial<Parameters<typeof startResellerReview>[1]> = {}) {
  return startResellerReview(services, {
    key: "form-1",
    plan: "12",
    gateway: "offshore",
    coin: null,
    promoCode: null,
    buyer: newCustomer,
    agreed: { code: null, shown: undefined },
    pricing,
    locale: "en-en",
    who: anonymous,
    ...input,
  })
}

function ready(start: Awaited<ReturnType<typeof started>>) {
  if (start.kind !== "ready") throw new Error(`The order was not begun: ${start.kind}`)
  return start
}

/** A new reseller's plan, paid and provisioned. */
async function withPlan() {
  const shop = await openTestShop()
  const { choices, key, total, customer } = ready(await started(shop))
  const placed = await placeOrder(shop.services, request({ choices, key, customer, agreedTotal: total }))
  if (placed.kind !== "placed" || !customer) throw new Error("The order was not placed")
  await openPayment(shop.services, placed.order, { gateway: "offshore", coin: null })
  await pay(shop, placed.order)
  return { shop, customer: customer as Customer, order: placed.order }
}
