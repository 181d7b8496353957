import { expect, test } from "vitest"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import type { Order } from "~/domain/orders/order"
import { usableAccountCredit } from "~/flows/checkout/available-credit.server"
import { resumeOrder } from "~/flows/payments/resume-order.server"
import { showReseller } from "~/flows/resellers/show-reseller.server"
import { accessibleService } from "~/flows/services/accessible-services.server"
import { buyUpsell } from "~/flows/services/buy-upsell.server"
import { showAccess } from "~/flows/services/show-access.server"
import { browserWith, buyPlan } from "../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

const PASSWORD = "correct horse battery staple"
const EMAIL = choice.email

/** Sessions of one e-mail that order and that look. */
type Sessions = Awaited<ReturnType<typeof signedUp>>["sessions"]
type SessionKind = keyof Sessions

/** A session by a sign-up's password, one of the authenticated owner, and others. */
async function signedUp() {
  const shop = await openTestShop()
  const { billing, now } = shop.services
  const account = {
    email: EMAIL,
    password: PASSWORD,
    existing: false,
    locale: "en-en",
    currency: "EUR",
  } as const
  const squatter = await billing.resellerAuth({ ...account, country: "ES", address: null, at: now() })
  if (!squatter) throw new Error("Account not created")
  const { id } = squatter
  const sessions = {
    "this password": squatter,
    "another sign-up password": { id, email: EMAIL, reach: "sign-up", passwordId: "another" },
    "a sign-up password without an id": { id, email: EMAIL, reach: "sign-up" },
    "the account": { id, email: EMAIL, reach: "account" },
    "nothing but the e-mail": null,
  } as const satisfies Record<string, (AuthenticatedCustomer & { email: string }) | null>
  return { shop, sessions }
}

const table: readonly [SessionKind, readonly SessionKind[]][] = [
  ["this password", ["this password", "the account"]],
  ["another sign-up password", ["another sign-up password", "the account"]],
  ["a sign-up password without an id", ["the account"]],
  ["the account", ["the account"]],
  ["nothing but the e-mail", ["the account"]],
]

test.each(table)("a service ordered with %s is accessible with %j only", async (by, open) => {
  const { shop, sessions } = await signedUp()
  const order = await buyPlan(shop, { key: "first", customer: sessions[by] })
  const token = await usedToken(shop)
  const seen: Record<string, unknown> = {}
  const right: Record<string, unknown> = {}
  for (const [name, customer] of Object.entries(sessions)) {
    seen[name] = await seenBy(shop, { order, token, customer })
    right[name] = open.includes(name as SessionKind)
      ? { page: order.serviceId, service: order.serviceId, comesBack: "resumed" }
      : { page: null, service: null, comesBack: "used" }
  }
  expect(seen).toEqual(right)
})

type Look = { order: Order; token: string; customer: AuthenticatedCustomer | null }

/** `service`: the look-up that the page's forms, the playlist and the upsell use. */
async function seenBy({ services }: TestShop, { order, token, customer }: Look) {
  const visitor = browserWith(null, customer)
  return {
    page: (await showAccess(services, visitor))?.service.id ?? null,
    service: (await accessibleService(services, visitor, order.serviceId))?.id ?? null,
    comesBack: (await resumeOrder(services, token, visitor)).kind,
  }
}

test.each<[SessionKind, string | undefined]>([
  ["this password", "sign-up"],
  ["the account", "account"],
  ["nothing but the e-mail", undefined],
])("an order and an upsell placed with %s store its access scope", async (by, reach) => {
  const { shop, sessions } = await signedUp()
  const customer = sessions[by]
  const order = await buyPlan(shop, { key: "first", customer })
  const service = await shop.services.billing.service(order.serviceId)
  if (!service) throw new Error("Service not found")
  const more = await buyUpsell(shop.services, {
    service,
    customer,
    orderId: order.id,
    key: "more",
    quantity: 1,
    shownUnit: null,
    gateway: "offshore",
    locale: "en-en",
    address: null,
    country: "XX",
    browser: null,
  })
  if (more.kind !== "placed") throw new Error("The upsell was not placed")
  for (const it of [order, more.order]) {
    expect(it.accessScope?.reach).toBe(reach)
    expect(it.accessScope?.passwordId).toBe(
      reach === "sign-up" ? sessions["this password"].passwordId : undefined,
    )
  }
})

test("only an authenticated account spends account credit, and no sign-up password does", async () => {
  const { shop, sessions } = await signedUp()
  const order = await buyPlan(shop, { key: "first", customer: sessions["this password"] })
  const can = async (customer: AuthenticatedCustomer | null) =>
    (
      await usableAccountCredit(
        shop.services,
        { orderId: null, customer },
        { email: EMAIL, total: order.total },
      )
    ).minor
  for (const customer of Object.values(sessions)) expect(await can(customer)).toBe(0)
})

test("a purchase by the owner's signed link is not accessible with an earlier sign-up password", async () => {
  const { shop, sessions } = await signedUp()
  const reseller = { ...choice, kind: "reseller" as const, plan: "12", extraConnection: false }
  const owner = sessions["the account"]
  const order = await buyPlan(shop, { key: "r", customer: owner, choices: reseller, agreedTotal: 109_00 })
  const squatter = browserWith(null, sessions["this password"])
  expect(await showReseller(shop.services, squatter)).toBeNull()
  expect(await showReseller(shop.services, browserWith(null, owner))).toMatchObject({
    resellerCredits: { balance: 25 },
  })
  // Even in the browser that paid, a sign-up password does not show the account's credits.
  const sameBrowser = browserWith(order, sessions["this password"])
  expect(await showReseller(shop.services, sameBrowser)).toMatchObject({
    resellerCredits: { balance: 0, movements: [] },
  })
})

/** The resume token of a new order, used by another browser. */
async function usedToken({ services, gateway }: TestShop): Promise<string> {
  const token = new URL(gateway.opened.at(-1)?.returnUrl ?? "").searchParams.get("resume") ?? ""
  expect((await resumeOrder(services, token, browserWith(null))).kind).toBe("resumed")
  return token
}
