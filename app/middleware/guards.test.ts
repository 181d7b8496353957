import { type MiddlewareFunction, RouterContextProvider } from "react-router"
import { expect, test } from "vitest"
import type { Billing } from "~/billing/billing"
import { localeOfIso } from "~/domain/locales"
import type { Order } from "~/domain/order"
import { type OrderStatus, orderStatuses } from "~/domain/order-status"
import type { Service, ServiceStatus } from "~/domain/service"
import { localeContext } from "~/locale.server"
import { type Services, servicesContext } from "~/services.server"
import { type CheckoutSession, emptySession, sessionContext } from "~/session.server"
import { auth } from "./auth.server"
import { resellerUpsell } from "./reseller-upsell.server"
import { rightScreenFor } from "./right-screen.server"

const guards = {
  public: auth("public"),
  guest: auth("guest"),
  buyer: auth("buyer"),
  customer: auth("customer"),
  checkout: rightScreenFor("checkout"),
  review: rightScreenFor("creatingOrder"),
  waiting: rightScreenFor("waiting"),
  success: rightScreenFor("success"),
  upsell: resellerUpsell,
} as const satisfies Record<string, MiddlewareFunction<Response>>

type Guard = keyof typeof guards
type Status = OrderStatus | "no order"

const here = null
const [toCheckout, toReview, toWaiting, toSuccess, toResellers] = [
  ...["/", "/creatingOrder", "/waiting", "/success", "/resellers"],
]
const signIn = "sign in"

/** Where somebody who has not signed in ends up: rows are what his order is at, columns the guard of the page. */
const visitors: Record<Status, Record<Guard, string | undefined | null>> = {
  "no order": row([here, here, signIn, signIn], [here, here, toCheckout, toCheckout]),
  placed: row([here, here, here, signIn], [toReview, here, toReview, toReview]),
  "awaiting-payment": row([here, here, here, signIn], [toWaiting, toWaiting, here, toWaiting]),
  "partially-paid": row([here, here, here, signIn], [toWaiting, toWaiting, here, toWaiting]),
  paid: row([here, here, here, signIn], [toSuccess, toSuccess, toSuccess, here]),
  active: row([here, here, here, signIn], [here, here, toSuccess, here]),
  cancelled: row([here, here, here, signIn], [here, here, toCheckout, toCheckout]),
  expired: row([here, here, here, signIn], [here, here, here, toWaiting]),
  fraud: row([here, here, here, signIn], [here, here, toReview, toReview]),
}

function row(
  [everybody, guest, buyer, customer]: (string | undefined | null)[],
  [checkout, review, waiting, success]: (string | undefined | null)[],
): Record<Guard, string | undefined | null> {
  return {
    ...{ public: everybody, guest, buyer, customer, checkout, review, waiting, success },
    upsell: toResellers,
  }
}

/** A customer who has signed in is let in everywhere else, and has no use for the sign-in screen. */
function asCustomer(guard: Guard, path: string | undefined | null) {
  if (guard === "guest") return toSuccess
  return path === signIn ? here : path
}

const cells = Object.entries(visitors).flatMap(([status, columns]) =>
  Object.entries(columns).flatMap(([guard, path]) => [
    { who: "a visitor", status, guard: guard as Guard, path },
    { who: "a customer", status, guard: guard as Guard, path: asCustomer(guard as Guard, path) },
  ]),
)

test("the table names every status an order can have", () => {
  expect(Object.keys(visitors).filter((status) => status !== "no order")).toEqual(orderStatuses)
})

test.each(cells)("$who with $status meets the guard $guard and ends at $path", async (cell) => {
  expect(await meet(cell.guard, browser(cell.status as Status, cell.who === "a customer"))).toBe(
    cell.path && cell.path !== signIn ? `/checkout/de-de${cell.path}` : cell.path,
  )
})

test("an order the books do not know is no order", async () => {
  expect(await meet("waiting", { session: { ...emptySession, orderId: "SOMEBODYELSE" } })).toBe(
    "/checkout/de-de/",
  )
})

const reseller: Partial<Service> = { id: "s1", customerId: "c1", kind: "reseller", status: "Active" }

test.each<[string, Partial<Service>, Partial<CheckoutSession>, string | null]>([
  ["his Active reseller service", {}, {}, here],
  ["a reseller service that is not active yet", { status: "Pending" as ServiceStatus }, {}, "/resellers"],
  ["a reseller service that has ended", { status: "Cancelled" as ServiceStatus }, {}, "/resellers"],
  ["a viewer's service", { kind: "plan" }, {}, "/resellers"],
  ["somebody else's service", { customerId: "c2" }, {}, "/resellers"],
  ["a service that is not there", {}, { serviceId: "s9" }, "/resellers"],
  ["no service named", {}, { serviceId: null }, "/resellers"],
  ["no customer", {}, { customer: null }, "/resellers"],
])("the upsell for resellers with %s", async (_, service, session, path) => {
  const customer = { id: "c1", email: "ana@example.test", currency: "EUR" } as const
  const visitor = { session: { ...emptySession, customer, serviceId: "s1", ...session } }
  const met = await meet("upsell", { ...visitor, services: [{ ...reseller, ...service }] })
  expect(met).toBe(path && `/checkout/de-de${path}`)
})

test("what somebody has can be looked at while another order waits, once he asks for it by name", async () => {
  const active: Partial<Service> = { id: "s1", status: "Active" }
  const waiting = browser("awaiting-payment", false)
  const session = { ...waiting.session, serviceIds: ["s1"] }
  const shown = { ...waiting, services: [active] }
  expect(await meet("success", { ...shown, session })).toBe("/checkout/de-de/waiting")
  expect(await meet("success", { ...shown, session: { ...session, serviceId: "s1" } })).toBeNull()
  expect(await meet("success", { ...shown, session: { ...session, serviceId: "s2" } })).toBe(
    "/checkout/de-de/waiting",
  )
})

type Browser = {
  session: CheckoutSession
  order?: Partial<Order> | null
  services?: readonly Partial<Service>[]
}

function browser(status: Status, signedIn: boolean): Browser {
  const customer = { id: "c1", email: "ana@example.test", currency: "EUR" } as const
  const order = status === "no order" ? null : { id: "K7QM2XDT93", serviceId: "s7", status }
  return {
    order,
    session: { ...emptySession, orderId: order?.id ?? null, customer: signedIn ? customer : null },
  }
}

async function meet(guard: Guard, { session, order = null, services = [] }: Browser): Promise<string | null> {
  const billing = {
    order: async (id: string) => (id === order?.id ? order : null),
    service: async (id: string) => services.find((it) => it.id === id) ?? null,
    servicesOf: async () => [],
  } as Partial<Record<keyof Billing, unknown>> as Billing
  const context = new RouterContextProvider()
  context.set(servicesContext, { billing } as Partial<Services> as Services)
  context.set(sessionContext, session)
  context.set(localeContext, localeOfIso("de-DE"))
  const url = new URL("https://shop.test/checkout/de-de/")
  const page = { request: new Request(url), url, pattern: "/:locale?", params: { locale: "de-de" }, context }
  try {
    await guards[guard](page, async () => new Response())
    return null
  } catch (thrown) {
    return thrown instanceof Response ? thrown.headers.get("location") : signIn
  }
}
