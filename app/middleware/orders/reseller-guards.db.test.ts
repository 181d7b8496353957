import type { MiddlewareFunction } from "react-router"
import { expect, test } from "vitest"
import { type CheckoutSession, emptySession } from "~/context/session.server"
import { localeOfIso, localPath } from "~/domain/locales"
import type { Order, OrderKind } from "~/domain/orders/order"
import { type OrderStatus, orderStatuses } from "~/domain/orders/order-status"
import type { Service, ServiceStatus } from "~/domain/services/service"
import { browser, guarded, orderAt } from "../../../tests/fixtures/guard-harness"
import { redirections } from "./redirections.server"
import { resellerSuccess } from "./reseller-success.server"
import { resellerUpsell } from "./reseller-upsell.server"

const german = localeOfIso("de-DE")
const here = null
const [toPlans, toReview, toWaiting, toSuccess] = [
  "/resellers",
  "/creatingOrder",
  "/resellers/waiting",
  "/resellers/success",
]
const [toShop, toViewersWaiting, toViewersSuccess] = ["/", "/waiting", "/success"]

const guards = {
  plans: redirections("checkout", "reseller"),
  waiting: redirections("waiting", "reseller"),
  success: resellerSuccess,
  "viewers' checkout": redirections("checkout"),
  "order creation": redirections("creatingOrder"),
  "viewers' waiting": redirections("waiting"),
  "viewers' success": redirections("success"),
} as const satisfies Record<string, MiddlewareFunction<Response>>

type Guard = keyof typeof guards
type Ends = Record<Guard, string | null>

/** Redirect targets with a reseller's current order: rows are order statuses, columns the guards of the page. */
const resellers: Record<OrderStatus, Ends> = {
  placed: row([toReview, toReview, toReview], [toReview, here, toReview, toReview]),
  "awaiting-payment": row([toWaiting, here, toWaiting], [toWaiting, toWaiting, toWaiting, toWaiting]),
  "partially-paid": row([toWaiting, here, toWaiting], [toWaiting, toWaiting, toWaiting, toWaiting]),
  paid: row([toSuccess, toSuccess, here], [toSuccess, toSuccess, toSuccess, toSuccess]),
  active: row([here, toSuccess, here], [here, here, toSuccess, toSuccess]),
  cancelled: row([here, toPlans, toPlans], [here, here, toShop, toShop]),
  expired: row([here, here, toWaiting], [here, here, toWaiting, toWaiting]),
  fraud: row([here, toReview, toReview], [here, here, toReview, toReview]),
}

/** The same for an order of a viewer plan. */
const viewers: Record<OrderStatus | "no order", Ends> = {
  "no order": row([here, toPlans, toPlans], [here, here, toShop, toShop]),
  placed: row([toReview, toReview, toPlans], [toReview, here, toReview, toReview]),
  "awaiting-payment": row(
    [toViewersWaiting, toViewersWaiting, toPlans],
    [toViewersWaiting, toViewersWaiting, here, toViewersWaiting],
  ),
  "partially-paid": row(
    [toViewersWaiting, toViewersWaiting, toPlans],
    [toViewersWaiting, toViewersWaiting, here, toViewersWaiting],
  ),
  paid: row(
    [toViewersSuccess, toViewersSuccess, toPlans],
    [toViewersSuccess, toViewersSuccess, toViewersSuccess, here],
  ),
  active: row([here, toViewersSuccess, toPlans], [here, here, toViewersSuccess, here]),
  cancelled: row([here, toPlans, toPlans], [here, here, toShop, toShop]),
  expired: row([here, toViewersWaiting, toPlans], [here, here, here, toViewersWaiting]),
  fraud: row([here, toReview, toPlans], [here, here, toReview, toReview]),
}

function row(
  [plans, waiting, success]: (string | null | undefined)[],
  [checkout, creation, viewersWaiting, viewersSuccess]: (string | null | undefined)[],
): Ends {
  const own = { plans: plans ?? null, waiting: waiting ?? null, success: success ?? null }
  const expected = { "viewers' checkout": checkout ?? null, "order creation": creation ?? null }
  return {
    ...own,
    ...expected,
    "viewers' waiting": viewersWaiting ?? null,
    "viewers' success": viewersSuccess ?? null,
  }
}

const cells = (kind: OrderKind, table: Record<string, Ends>) =>
  Object.entries(table).flatMap(([status, ends]) =>
    Object.entries(ends).map(([guard, path]) => ({ kind, status, guard: guard as Guard, path })),
  )

test("the table covers every order status", () => {
  expect(Object.keys(resellers)).toEqual(orderStatuses)
})

test.each([
  ...cells("reseller", resellers),
  ...cells("reseller-credits", resellers),
  ...cells("plan", viewers),
])(
  "the guard of $guard with a $kind order in status $status redirects to $path",
  async ({ kind, status, guard, path }) => {
    const order = orderAt(status as OrderStatus | "no order")
    const visitor = browser(order && { ...order, kind }, false)
    const services = serviceOf(visitor.order ?? null)
    const met = await guarded(guards[guard], { ...visitor, services })
    expect(met?.replace(/\?(elsewhere|cancelled=meanwhile|existing=yes|open)$/, "") ?? null).toBe(
      path && `/checkout${localPath(german, path)}`,
    )
  },
)

/** The service of the current order: Active if the order is, otherwise Pending. */
function serviceOf(order: Partial<Order> | null): Partial<Service>[] {
  const status = order?.status === "active" ? "Active" : "Pending"
  const kind = order?.kind?.startsWith("reseller") ? "reseller" : "plan"
  return order ? [{ id: "s7", orderId: "K7QM2XDT93", customerId: "c9", kind, status }] : []
}

test("a signed-in reseller sees the account without a current order", async () => {
  const visitor = { ...browser(null, true), services: [reseller] }
  expect(await guarded(resellerSuccess, visitor)).toBeNull()
  expect(await guarded(resellerSuccess, { ...visitor, services: [{ ...reseller, kind: "plan" }] })).toBe(
    "/checkout/de-de/resellers",
  )
})

test("who comes back to the reseller's page without a session is asked for the account that exists", async () => {
  expect(await guarded(resellerSuccess, browser(null, false))).toBe("/checkout/de-de/resellers?existing=yes")
  expect(await guarded(resellerSuccess, browser({ status: "cancelled", kind: "reseller" }, false))).toBe(
    "/checkout/de-de/resellers",
  )
})

const reseller: Partial<Service> = { id: "s1", customerId: "c1", kind: "reseller", status: "Active" }

test.each<[string, Partial<Service>, Partial<CheckoutSession>, string | null]>([
  ["the customer's Active reseller service", {}, {}, here],
  ["a reseller service that is not active yet", { status: "Pending" as ServiceStatus }, {}, "/resellers"],
  ["a terminated reseller service", { status: "Cancelled" as ServiceStatus }, {}, "/resellers"],
  ["a viewer's service", { kind: "plan" }, {}, "/resellers"],
  ["another customer's service", { customerId: "c2" }, {}, "/resellers"],
  ["a missing service", {}, { serviceId: "s9" }, "/resellers"],
  ["no service in the session", {}, { serviceId: null }, "/resellers"],
  ["no customer", {}, { customer: null }, "/resellers"],
])("the guard of the reseller upsell with %s", async (_, service, session, path) => {
  const customer = { id: "c1", email: "ana@example.test", currency: "EUR", reach: "account" } as const
  const visitor = { session: { ...emptySession, customer, serviceId: "s1", ...session } }
  const met = await guarded(resellerUpsell, { ...visitor, services: [{ ...reseller, ...service }] })
  expect(met).toBe(path && `/checkout/de-de${path}`)
})
