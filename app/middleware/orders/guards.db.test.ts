import type { MiddlewareFunction } from "react-router"
import { expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import { localeOfIso, localPath } from "~/domain/locales"
import { type OrderStatus, orderStatuses } from "~/domain/orders/order-status"
import type { Service } from "~/domain/services/service"
import { browser, guarded, orderAt, otherScreen, signIn } from "../../../tests/fixtures/guard-harness"
import { auth } from "../customers/auth.server"
import { redirections } from "./redirections.server"
import { resellerUpsell } from "./reseller-upsell.server"

const german = localeOfIso("de-DE")

const guards = {
  public: auth("public"),
  guest: auth("guest"),
  buyer: auth("buyer"),
  customer: auth("customer"),
  checkout: redirections("checkout"),
  review: redirections("creatingOrder"),
  waiting: redirections("waiting"),
  success: redirections("success"),
  upsell: resellerUpsell,
} as const satisfies Record<string, MiddlewareFunction<Response>>

type Guard = keyof typeof guards
type Status = OrderStatus | "no order"

const here = null
const [toCheckout, toReview, toWaiting, toOpenOrder, toSuccess, toResellers] = [
  "/",
  "/creatingOrder",
  "/waiting",
  "/waiting?open",
  "/success",
  "/resellers",
]

/** Redirect target of a signed-out visitor: rows are order statuses, columns the guards of the page. */
const visitors: Record<Status, Record<Guard, string | undefined | null>> = {
  "no order": row([here, here, signIn, signIn], [here, here, toCheckout, toCheckout]),
  placed: row([here, here, here, signIn], [toReview, here, toReview, toReview]),
  "awaiting-payment": row([here, here, here, signIn], [toOpenOrder, toWaiting, here, toWaiting]),
  "partially-paid": row([here, here, here, signIn], [toOpenOrder, toWaiting, here, toWaiting]),
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
    public: everybody,
    guest,
    buyer,
    customer,
    checkout,
    review,
    waiting,
    success,
    upsell: toResellers,
  }
}

/**
 * Redirect target of a signed-in customer: none instead of the sign-in screen; guest pages redirect. A customer without an
 * order and a service is told so in place of the success page.
 */
function asCustomer(guard: Guard, path: string | undefined | null, status: string) {
  if (guard === "guest") return toSuccess
  if (guard === "success" && status === "no order") return otherScreen
  return path === signIn ? here : path
}

const cells = Object.entries(visitors).flatMap(([status, columns]) =>
  Object.entries(columns).flatMap(([guard, path]) => [
    { who: "a visitor", status, guard: guard as Guard, path },
    { who: "a customer", status, guard: guard as Guard, path: asCustomer(guard as Guard, path, status) },
  ]),
)

const screens = [signIn, otherScreen]

test("the table covers every order status", () => {
  expect(Object.keys(visitors).filter((status) => status !== "no order")).toEqual(orderStatuses)
})

test.each(cells)("the guard $guard redirects $who with $status to $path", async (cell) => {
  const target = await guarded(
    guards[cell.guard],
    browser(orderAt(cell.status as Status), cell.who === "a customer"),
  )
  expect(target?.replace(/\?(elsewhere|cancelled=meanwhile)$/, "") ?? null).toBe(
    cell.path && !screens.includes(cell.path) ? `/checkout${localPath(german, cell.path)}` : cell.path,
  )
})

test("an unknown order counts as no order", async () => {
  expect(await guarded(guards.waiting, { session: { ...emptySession, orderId: "SOMEBODYELSE" } })).toBe(
    "/checkout/de-de",
  )
})

test("the checkout says how an order is found to a browser that looks for one which it does not know", async () => {
  const choices = { ...emptySession.choices, plan: "3" }
  const signedIn = browser(orderAt("no order"), true)
  expect([
    await guarded(guards.waiting, { session: emptySession }),
    await guarded(guards.waiting, { session: { ...emptySession, choices } }),
    await guarded(guards.waiting, signedIn),
    await guarded(guards.review, { session: emptySession }),
  ]).toEqual(["/checkout/de-de?elsewhere", "/checkout/de-de", "/checkout/de-de", null])
})

test("an existing service named by the session is shown while another order is open", async () => {
  const active: Partial<Service> = { id: "s1", status: "Active" }
  const waiting = browser(orderAt("awaiting-payment"), false)
  const session = { ...waiting.session, serviceIds: ["s1"] }
  const shown = { ...waiting, services: [active] }
  expect(await guarded(guards.success, { ...shown, session })).toBe("/checkout/de-de/waiting")
  expect(await guarded(guards.success, { ...shown, session: { ...session, serviceId: "s1" } })).toBeNull()
  expect(await guarded(guards.success, { ...shown, session: { ...session, serviceId: "s2" } })).toBe(
    "/checkout/de-de/waiting",
  )
})

test.each(["expired", "fraud", "awaiting-payment"] as const)(
  "a visitor who asks for their services sees them while the last order is %s",
  async (status) => {
    const asking = { ...browser(orderAt(status), false), query: "?services" }
    const session = { ...asking.session, serviceIds: ["s1"] }
    const owner = { ...asking, session, services: [{ id: "s1", status: "Active" } as const] }
    expect(await guarded(guards.success, owner)).toBeNull()
    expect(await guarded(guards.success, asking)).toBe(
      await guarded(guards.success, { ...asking, query: "" }),
    )
  },
)
