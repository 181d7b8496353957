import { expect, test, vi } from "vitest"
import { DAY, dayIn, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { renewFromBalances } from "~/flows/services/renew-from-balance.server"
import { enrolled } from "../../../tests/fixtures/console"
import { buy, buyPlan, request } from "../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { sweep } from "./reconcile.server"

test("erases customers who never paid after the configured retention, and not without one", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const keeping = { ...shop.services, shop: { ...shop.services.shop, retention: 30 * DAY } }
  const email = async () => (await shop.billing.operator.order(order.id))?.email

  shop.wait(31 * DAY)
  await sweep(shop.services, "this instance")
  expect(await email()).toBe("ana@example.test")
  await sweep(keeping, "this instance")
  expect(await email()).toBe("erased")
  expect(shop.log).toContainEqual(expect.objectContaining({ customers: 1, msg: "inactive customers erased" }))
})

test("a clock that was just moved ahead expires no order, erases nobody and renews nothing from credit", async () => {
  const shop = await openTestShop()
  const service = await buyPlan(shop)
  const waiting = (await buy(shop, { key: "draft-2" })).order
  const { id } = (await shop.services.billing.service(service.serviceId)) ?? {}
  if (!id) throw new Error("no service")
  const { billing } = shop.services
  await billing.setBalanceRenewal(id, true, shop.services.now())
  const grant = { key: "grant", amount: money(TOTAL, "EUR"), reason: "sorry", at: shop.services.now() }
  await shop.billing.operator.grantAccountCredit(service.customerId, grant)
  let isReliable = false
  const moved = {
    ...shop.services,
    isClockReliable: () => isReliable,
    shop: { ...shop.services.shop, retention: 30 * DAY },
  }
  const found = async () => {
    await sweep(moved, "this instance")
    await renewFromBalances(moved, "this instance")
    const status = (await billing.order(waiting.id))?.status
    return [status, (await shop.services.payments.accountCredit(service.customerId, "EUR")).minor]
  }
  shop.wait(366 * DAY)
  expect(await found()).toEqual(["awaiting-payment", TOTAL])
  isReliable = true
  expect(await found()).toEqual(["expired", 0])
})

test("erasure runs every 15 minutes, with any number of instances", async () => {
  const shop = await openTestShop()
  const keeping = { ...shop.services, shop: { ...shop.services.shop, retention: 30 * DAY } }
  let rounds = 0
  const billing = {
    ...shop.services.billing,
    eraseInactiveCustomers: async () => {
      rounds += 1
      return 0
    },
  }
  for (let minute = 0; minute < 31; minute++) {
    await sweep({ ...keeping, billing }, "this instance")
    shop.wait(MINUTE)
    await sweep({ ...keeping, billing }, "another")
  }
  expect(rounds).toBe(3)
})

test("rows of operators' sessions are deleted a month after they were opened", async () => {
  const shop = await openTestShop()
  const { email } = await enrolled(shop, "owner")
  const operators = shop.services.console?.operators
  const operator = await operators?.find(email)
  const limits = { now: shop.services.now(), idle: DAY, longest: DAY }
  const opened = () => operators?.sessions(operator?.id ?? "", limits)
  shop.wait(29 * DAY)
  await sweep(shop.services, "this instance")
  expect(await opened()).toHaveLength(1)
  shop.wait(2 * DAY)
  await sweep(shop.services, "this instance")
  expect(await opened()).toHaveLength(0)
})

test("a sign-in by mail is deleted a day after it was asked for, and not before", async () => {
  const shop = await openTestShop()
  const { signInRequests, now } = shop.services
  await buy(shop)
  const asked = { email: "ana@example.test", locale: "en-en", sessionId: "s1" } as const
  await signInRequests.create({ ...asked, id: "r1", at: now() })
  const found = () => signInRequests.find("r1", { sessionId: "s1", since: 0, at: now() })
  shop.wait(DAY)
  await sweep(shop.services, "this instance")
  expect(await found()).not.toBeNull()
  shop.wait(1)
  await sweep(shop.services, "this instance")
  expect(await found()).toBeNull()
})

test("a change of e-mail can be undone by its link for thirty days, and is deleted then", async () => {
  const shop = await openTestShop()
  const { customerId } = await buyPlan(shop)
  const { emailChanges, now } = shop.services
  await emailChanges?.create({
    id: "e1",
    customerId,
    email: "new@example.test",
    locale: "en-en",
    at: now(),
  })
  shop.wait(30 * DAY)
  await sweep(shop.services, "this instance")
  expect(await emailChanges?.find("e1")).not.toBeNull()
  shop.wait(1)
  await sweep(shop.services, "this instance")
  expect(await emailChanges?.find("e1")).toBeNull()
})

test("the steps of a day are counted for 800 days: a month can be compared with those of two years before", async () => {
  const shop = await openTestShop()
  const { steps, now } = shop.services
  const day = dayIn(shop.services.shop.timeZone, now())
  await steps.addSteps([{ day, step: "seen", plan: null, gateway: null, locale: "en-en", count: 3 }])
  const counted = async () => (await steps.steps(day, day)).map(({ count }) => count)
  shop.wait(800 * DAY)
  await sweep(shop.services, "this instance")
  expect(await counted()).toEqual([3])
  shop.wait(DAY)
  await sweep(shop.services, "this instance")
  expect(await counted()).toEqual([])
})

test("bulk runs that have ended are deleted after 400 days", async () => {
  const shop = await openTestShop()
  const { bulk, now } = shop.services
  const by = { operatorId: null, operator: "admin CLI", reason: "outage", at: now() }
  await bulk.begin({ ...by, id: "old", list: "jobs", action: "retry-job", conditions: {}, days: null }, [
    { item: "none", mark: "failed" },
  ])
  await bulk.stop("old", { by: "admin CLI", at: now() })
  shop.wait(400 * DAY)
  for (const _ of ["rows", "run"]) await sweep(shop.services, "this instance")
  expect(await bulk.find("old")).not.toBeNull()
  shop.wait(1 * DAY)
  for (const _ of ["rows", "run"]) await sweep(shop.services, "this instance")
  expect(await bulk.find("old")).toBeNull()
})

test("a slow gateway does not delay polling of another gateway", async () => {
  const shop = await openTestShop()
  for (let nth = 0; nth < 120; nth++) await openedAt(shop, "offshore", nth)
  shop.wait(MINUTE)
  await openedAt(shop, "coinbase", 120)
  shop.wait(DAY / 2)
  const response = Promise.withResolvers<null>()
  vi.spyOn(shop.gateway.gateway, "fetchPayment").mockReturnValue(response.promise)
  const sweeping = sweep(shop.services, "this instance")
  await expect.poll(() => shop.other.requests).toHaveLength(1)
  response.resolve(null)
  await sweeping
})

test("a slow gateway does not delay the rest of the sweep: its remaining payments wait for the next run", async () => {
  const shop = await openTestShop()
  for (let nth = 0; nth < 20; nth++) await openedAt(shop, "offshore", nth)
  shop.wait(2 * DAY)
  const slow = vi.spyOn(shop.gateway.gateway, "fetchPayment").mockImplementation(async () => {
    shop.wait(9 * SECOND)
    return null
  })
  await sweep(shop.services, "this instance")
  expect(slow).toHaveBeenCalledTimes(3)
  expect(await shop.services.billing.overdueOrders(shop.services.now(), 100)).toEqual([])
  await sweep(shop.services, "this instance")
  expect(new Set(slow.mock.calls.map(([{ paymentId }]) => paymentId)).size).toBe(6)
})

test("the open payments of an order that was paid or cancelled in external billing are closed", async () => {
  const shop = await openTestShop()
  const { order, opening } = await buy(shop)
  const orderSync = {
    completeOrder: async () => order,
    isBeingPlaced: async () => false,
    reconcileExternalOrders: async () => [order.id],
  }
  await sweep({ ...shop.services, orderSync }, "this instance")
  expect(opening.kind === "opened" && shop.gateway.closed).toEqual([shop.gateway.opened[0]?.attemptId])
})

test("a payment that arrives after its provider has reported it as expired is found, also without a callback", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("expired", 0)
  shop.wait(61 * MINUTE)
  await sweep(shop.services, "this instance")
  shop.wait(5 * DAY)
  await sweep(shop.services, "this instance")
  expect(await shop.services.billing.order(order.id)).toMatchObject({ status: "expired" })
  shop.gateway.reports("paid", order.total.minor)
  shop.wait(6 * HOUR + 1)
  await sweep(shop.services, "this instance")
  expect(await shop.services.billing.order(order.id)).toMatchObject({ status: "paid", received: order.total })
})

test("an expired payment is polled ever more rarely, at last every six hours, and not after the time for late payments", async () => {
  const shop = await openTestShop()
  await buy(shop)
  shop.gateway.reports("expired", 0)
  const asked: number[] = []
  for (let minutes = 0; minutes < 9 * 24 * 60; minutes += 10) {
    shop.wait(10 * MINUTE)
    const before = shop.gateway.requests.length
    await sweep(shop.services, "this instance")
    if (shop.gateway.requests.length > before) asked.push(minutes / 60)
  }
  expect(asked.filter((hours) => hours < 24).length).toBeLessThanOrEqual(20)
  expect(asked.filter((hours) => hours >= 48 && hours < 72).length).toBeLessThanOrEqual(4)
  expect(asked.at(-1)).toBeGreaterThan(7 * 24)
  expect(asked.at(-1)).toBeLessThan(8 * 24)
})

async function openedAt(shop: TestShop, gateway: "offshore" | "coinbase", nth: number) {
  const choices = { ...choice, gateway, email: `buyer${nth}@example.test` }
  const placed = await placeOrder(shop.services, request({ choices, key: `draft-${nth}` }))
  if (placed.kind !== "placed") throw new Error(`The order was not placed: ${placed.kind}`)
  await openPayment(shop.services, placed.order, { gateway, coin: null })
}
