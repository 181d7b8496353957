import { expect, test } from "vitest"
import { MINUTE, SECOND } from "~/domain/calendar"
import { sweep } from "~/flows/jobs/reconcile.server"
import { GatewayError } from "~/gateways/gateway"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { changeGateway } from "./change-gateway.server"
import { getOrderProgress } from "./get-order-progress.server"

test("changing the gateway opens a new payment for the same order and amount", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.wait(3 * SECOND)
  const opening = await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  expect(opening).toMatchObject({ kind: "opened", url: expect.stringMatching(/^https:\/\/coinbase\.test/) })
  expect(shop.other.opened[0]).toMatchObject({ orderId: order.id, amount: { minor: TOTAL } })
  const watched = await getOrderProgress(shop.services, order.id)
  expect(watched).toMatchObject({ order: { gateway: "coinbase" }, pay: { host: "coinbase.test" } })
})

test("closes the previous payment at a gateway that supports it", async () => {
  const shop = await openTestShop()
  shop.gateway.canClose()
  const { order } = await buy(shop)
  shop.wait(3 * SECOND)
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  expect(shop.gateway.closed).toEqual([shop.gateway.opened[0]?.attemptId])
  expect(await shop.services.payments.openAttempts(order.id)).toHaveLength(1)
})

test("a late payment at the first gateway counts, and one at the second is credited", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.wait(3 * SECOND)
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  shop.gateway.reports("paid", TOTAL)
  shop.other.reports("paid", TOTAL)
  shop.wait(3 * MINUTE)
  await sweep(shop.services, "this instance")
  const shown = await shop.billing.operator.order(order.id)
  expect(shown).toMatchObject({
    order: { status: "paid" },
    accountCredit: [{ minor: TOTAL, currency: "EUR" }],
  })
})

test("changing back returns the first payment", async () => {
  const shop = await openTestShop()
  const { order, opening: first } = await buy(shop)
  shop.wait(3 * SECOND)
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  shop.wait(3 * SECOND)
  expect(await changeGateway(shop.services, order.id, { gateway: "offshore", coin: null })).toEqual(first)
})

test("keeps the current gateway when the new one is unavailable", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.other.fail(new GatewayError("unavailable", "no answer"))
  shop.wait(3 * SECOND)
  expect(await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })).toMatchObject({
    kind: "not-opened",
  })
  const watched = await getOrderProgress(shop.services, order.id)
  expect(watched).toMatchObject({ order: { gateway: "offshore" }, pay: { host: "pay.test" } })
  expect(shop.gateway.closed).toEqual([])
})

test("opens no payment at another gateway for an order that was just paid", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * SECOND)
  expect(await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })).toEqual({
    kind: "nothing-to-pay",
  })
  expect(shop.other.opened).toEqual([])
})

test("a gateway that is not offered any more opens no other payment, but that of its own order", async () => {
  const shop = await openTestShop()
  const { order, opening: first } = await buy(shop)
  const offering = (id: "offshore" | "coinbase") => ({ ...shop.services, enabledGateways: [id] })
  shop.wait(3 * SECOND)
  const other = { gateway: "coinbase", coin: null } as const
  expect(await changeGateway(offering("offshore"), order.id, other)).toMatchObject({
    kind: "not-opened",
    error: "unavailable",
  })
  expect(shop.other.opened).toEqual([])
  const own = { gateway: "offshore", coin: null } as const
  expect(await changeGateway(offering("coinbase"), order.id, own)).toEqual(first)
})
