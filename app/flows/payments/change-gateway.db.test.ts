import { expect, test } from "vitest"
import { MINUTE, SECOND } from "~/domain/calendar"
import { sweep } from "~/flows/jobs/reconcile.server"
import { GatewayError } from "~/gateways/gateway"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { changeGateway } from "./change-gateway.server"
import { getOrderProgress } from "./get-order-progress.server"

test("another gateway is a new link, for the same order and the same amount", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.wait(3 * SECOND)
  const opening = await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  expect(opening).toMatchObject({ kind: "opened", url: expect.stringMatching(/^https:\/\/coinbase\.test/) })
  expect(shop.other.opened[0]).toMatchObject({ orderId: order.id, amount: { minor: TOTAL } })
  const watched = await getOrderProgress(shop.services, order.id)
  expect(watched).toMatchObject({ order: { gateway: "coinbase" }, pay: { host: "coinbase.test" } })
})

test("the earlier payment is closed at its provider, where it can be", async () => {
  const shop = await openTestShop()
  shop.gateway.canClose()
  const { order } = await buy(shop)
  shop.wait(3 * SECOND)
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  expect(shop.gateway.closed).toEqual([shop.gateway.opened[0]?.attemptId])
  expect(await shop.services.payments.openAttempts(order.id)).toHaveLength(1)
})

test("a payment that still arrives at the first one counts, and one at the second becomes credit", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.wait(3 * SECOND)
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  shop.gateway.says("paid", TOTAL)
  shop.other.says("paid", TOTAL)
  shop.wait(3 * MINUTE)
  await sweep(shop.services, "this instance")
  const shown = await shop.billing.operator.order(order.id)
  expect(shown).toMatchObject({ order: { status: "paid" }, credit: [{ minor: TOTAL, currency: "EUR" }] })
})

test("and back again is the first link, not a third one", async () => {
  const shop = await openTestShop()
  const { order, opening: first } = await buy(shop)
  shop.wait(3 * SECOND)
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  shop.wait(3 * SECOND)
  expect(await changeGateway(shop.services, order.id, { gateway: "offshore", coin: null })).toEqual(first)
})

test("while the other one does not answer everything stays as it was", async () => {
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

test("an order that was paid a moment ago asks nothing of another gateway", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.says("paid", TOTAL)
  shop.wait(3 * SECOND)
  expect(await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })).toEqual({
    kind: "nothing-to-pay",
  })
  expect(shop.other.opened).toEqual([])
})
