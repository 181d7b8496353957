import { RouterContextProvider } from "react-router"
import { expect, test } from "vitest"
import type { Billing } from "~/billing/billing"
import { localeOfIso } from "~/domain/locales"
import type { Order } from "~/domain/order"
import { type OrderStatus, orderStatuses, type Screen } from "~/domain/order-status"
import { localeContext } from "~/locale.server"
import { type Services, servicesContext } from "~/services.server"
import { emptySession, sessionContext } from "~/session.server"
import { rightScreenFor } from "./right-screen.server"

const here = null
const [checkout, review, waiting, success] = ["/", "/creatingOrder", "/waiting", "/success"]

/** Where a visitor ends up: rows are what his order is at, columns the screen he asks for. */
const map: Record<OrderStatus | "no order", Record<Screen, string | undefined | null>> = {
  "no order": { checkout: here, creatingOrder: here, waiting: checkout, success: checkout },
  placed: { checkout: review, creatingOrder: here, waiting: review, success: review },
  "awaiting-payment": { checkout: waiting, creatingOrder: waiting, waiting: here, success: waiting },
  "partially-paid": { checkout: waiting, creatingOrder: waiting, waiting: here, success: waiting },
  paid: { checkout: success, creatingOrder: success, waiting: success, success: here },
  active: { checkout: here, creatingOrder: here, waiting: success, success: here },
  cancelled: { checkout: here, creatingOrder: here, waiting: checkout, success: checkout },
  expired: { checkout: here, creatingOrder: here, waiting: here, success: waiting },
  fraud: { checkout: review, creatingOrder: here, waiting: review, success: review },
}

const rows = Object.entries(map).flatMap(([status, screens]) =>
  Object.entries(screens).map(([screen, path]) => ({ status, screen: screen as Screen, path })),
)

test("the map names every status an order can have", () => {
  expect(Object.keys(map).filter((status) => status !== "no order")).toEqual(orderStatuses)
})

test.each(rows)(
  "an order that is $status, seen from $screen, leads to $path",
  async ({ status, screen, path }) => {
    const location = path === here ? null : `/checkout/de-de${path}`
    expect(await visit(screen, status as OrderStatus | "no order")).toBe(location)
  },
)

test("an order the books do not know is no order", async () => {
  expect(await visit("waiting", "no order", "SOMEBODYELSE")).toBe("/checkout/de-de/")
})

async function visit(screen: Screen, status: OrderStatus | "no order", orderId: string | null = null) {
  const known = status === "no order" ? null : ({ id: "K7QM2XDT93", status } as Partial<Order> as Order)
  const billing = {
    order: async (id: string) => (id === known?.id ? known : null),
  } as Partial<Billing> as Billing
  const context = new RouterContextProvider()
  context.set(servicesContext, { billing } as Partial<Services> as Services)
  context.set(sessionContext, { ...emptySession, orderId: known?.id ?? orderId })
  context.set(localeContext, localeOfIso("de-DE"))
  const url = new URL("https://shop.test/checkout/de-de/")
  const visitor = {
    request: new Request(url),
    url,
    pattern: "/:locale?",
    params: { locale: "de-de" },
    context,
  }
  try {
    await rightScreenFor(screen)(visitor, async () => new Response())
    return null
  } catch (thrown) {
    return (thrown as Response).headers.get("location")
  }
}
