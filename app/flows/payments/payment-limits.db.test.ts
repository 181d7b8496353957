import { expect, test } from "vitest"
import { MINUTE, SECOND } from "~/domain/calendar"
import { GatewayError } from "~/gateways/gateway"
import { limits } from "~/security/rate-limits.server"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop } from "../../../tests/fixtures/test-shop"
import { changeGateway, payAgain } from "./change-gateway.server"
import { getOrderProgress } from "./get-order-progress.server"

test("limits the payments of one order across gateway changes", async () => {
  const shop = await openTestShop()
  shop.gateway.canClose()
  shop.other.canClose()
  const { order } = await buy(shop)
  const kinds: string[] = []
  for (let nth = 0; nth < 100; nth++) {
    shop.wait(3 * SECOND)
    const gateway = nth % 2 === 0 ? "coinbase" : "offshore"
    kinds.push((await changeGateway(shop.services, order.id, { gateway, coin: null })).kind)
  }
  expect(shop.gateway.opened.length + shop.other.opened.length).toBe(limits.paymentsOfOrder)
  expect(kinds.at(-1)).toBe("too-many")
  // The open payment stays usable.
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ ended: false })
})

test("above the payment limit returns Retry-After seconds and closes nothing", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const rateLimits = {
    ...shop.services.rateLimits,
    payment: async () => ({ ok: false as const, retryAfterSeconds: 90 }),
  }
  const services = { ...shop.services, rateLimits }
  const method = { gateway: "coinbase", coin: null } as const
  expect(await changeGateway(services, order.id, method)).toEqual({ kind: "too-many", retryAfterSeconds: 90 })
  expect([shop.other.opened, shop.gateway.closed]).toEqual([[], []])
  // Returning the open payment does not count.
  const again = { visitor: null, requote: false }
  expect((await payAgain(services, order.id, again)).kind).toBe("opened")
})

test("limits the payments of one browser across orders", async () => {
  const { rateLimits } = (await openTestShop()).services
  const results = await Promise.all(
    Array.from({ length: limits.paymentsOfBrowser + 1 }, (_, nth) =>
      rateLimits.payment({ orderId: `order ${nth}`, attemptId: `attempt ${nth}`, visitor: "browser" }),
    ),
  )
  expect(results.filter(({ ok }) => ok)).toHaveLength(limits.paymentsOfBrowser)
  const other = { orderId: "another", attemptId: "another", visitor: "another" }
  expect((await rateLimits.payment(other)).ok).toBe(true)
})

test("polls a gateway at most every two seconds for one order", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  for (let quarter = 0; quarter < 40; quarter++) {
    shop.wait(SECOND / 4)
    await getOrderProgress(shop.services, order.id)
    await payAgain(shop.services, order.id, { visitor: null, requote: false })
  }
  expect(shop.gateway.requests.length).toBeLessThanOrEqual(5)
})

test("an open page asks the gateway five times in two minutes, all its tabs together", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  for (let second = 0; second < 120; second++) {
    shop.wait(SECOND)
    await Promise.all([1, 2, 3].map(() => getOrderProgress(shop.services, order.id)))
  }
  expect(shop.gateway.requests).toHaveLength(5)
})

test("a page asks the gateway when its buyer has come back from it, whatever the time since opening", async () => {
  const shop = await openTestShop()
  const { order, opening } = await buy(shop)
  if (opening.kind !== "opened") throw new Error(`Not opened: ${opening.kind}`)
  for (let look = 0; look < 30; look++) {
    shop.wait(5 * SECOND)
    await getOrderProgress(shop.services, order.id)
  }
  const before = shop.gateway.requests.length
  shop.wait(3 * SECOND)
  await shop.services.payments.redeemReturnToken(opening.attemptId, shop.services.now())
  await getOrderProgress(shop.services, order.id)
  expect(shop.gateway.requests).toHaveLength(before + 1)
})

test("a buyer who says that the payment has been made is believed enough to ask again", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  for (let look = 0; look < 4; look++) {
    shop.wait(3 * SECOND)
    await getOrderProgress(shop.services, order.id, { saysPaid: true })
  }
  expect(shop.gateway.requests).toHaveLength(4)
})

test("an answer that says nothing new is not recorded", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const recorded: string[] = []
  const payments = {
    ...shop.services.payments,
    recordPaymentUpdate: (...args: Parameters<typeof shop.services.payments.recordPaymentUpdate>) => {
      recorded.push(args[1].status)
      return shop.services.payments.recordPaymentUpdate(...args)
    },
  }
  const look = async () => {
    // Longer than an open page waits at most until it asks again.
    shop.wait(MINUTE + SECOND)
    await getOrderProgress({ ...shop.services, payments }, order.id)
  }
  await look()
  expect(recorded).toEqual([])
  shop.gateway.reports("partially-paid", 100)
  await look()
  await look()
  expect(recorded).toEqual(["partially-paid", "partially-paid"])
})

test("pressing again on one order during an outage does not use up its payments", async () => {
  const shop = await openTestShop()
  shop.gateway.fail(new GatewayError("unavailable", "no response"))
  const { order } = await buy(shop)
  const press = () => payAgain(shop.services, order.id, { visitor: "browser", requote: false })
  for (let time = 0; time < 40; time++) expect((await press()).kind).toBe("not-opened")
  shop.gateway.fail(null)
  expect((await press()).kind).toBe("opened")
})
