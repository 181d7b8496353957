import { expect, test } from "vitest"
import { HOUR, SECOND } from "~/domain/calendar"
import type { Transfer } from "~/domain/payments/coin"
import { withOnSiteCache } from "~/gateways/cached-on-site.server"
import { GatewayError } from "~/gateways/gateway"
import { buy } from "../../../tests/fixtures/purchase"
import { NOON, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { availableGateways } from "./available-gateways.server"
import { payAgain } from "./change-gateway.server"
import { getOrderProgress } from "./get-order-progress.server"
import { openPayment } from "./open-payment.server"

const bitcoin = { currency: "BTC", network: "CHAIN" }
const transfer: Transfer = {
  coin: bitcoin,
  amount: "0.00158",
  address: "bc1q",
  uri: "bitcoin:bc1q",
  expiresAt: NOON + HOUR,
  seen: "0",
  confirmations: null,
}
const fresh = { visitor: null, requote: true }
const offshore = { gateway: "offshore", coin: "BTC/CHAIN" } as const

test("offers the coins for on-site payment with their gateway", async () => {
  const { shop } = await withCoin()
  expect(await availableGateways(shop.services, "en-en")).toMatchObject([
    { id: "offshore", coins: [bitcoin] },
    { id: "coinbase", coins: [] },
  ])
})

test("a chosen coin is paid on the waiting page, with transfer details, and is sent to the gateway", async () => {
  const { shop, order, opening } = await withCoin()
  expect(opening).toMatchObject({ kind: "opened", url: "https://shop.test/checkout/waiting" })
  expect(shop.gateway.opened.at(-1)).toMatchObject({ coin: bitcoin })
  const watched = await getOrderProgress(shop.services, order.id)
  expect(watched?.pay).toMatchObject({ coin: bitcoin, transfer, host: "pay.test", ended: false })
})

test("without a chosen coin the buyer is redirected to the gateway's page", async () => {
  const shop = await openTestShop()
  shop.gateway.takes([bitcoin], transfer)
  const { order, opening } = await buy(shop)
  expect(opening).toMatchObject({ url: expect.stringMatching(/^https:\/\/pay\.test\//) })
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ coin: null, transfer: null })
})

test("falls back to the gateway's page when transfer details are unavailable", async () => {
  const { shop, order } = await withCoin()
  shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  const watched = await getOrderProgress(shop.services, order.id)
  expect(watched?.pay).toMatchObject({ coin: bitcoin, transfer: null, host: "pay.test" })
})

test("a seen payment changes the version that open pages poll", async () => {
  const { shop, order } = await withCoin()
  const before = (await getOrderProgress(shop.services, order.id))?.version
  shop.gateway.takes([bitcoin], { ...transfer, seen: "0.00158", confirmations: 1 })
  expect((await getOrderProgress(shop.services, order.id))?.version).not.toBe(before)
})

test("after a partial payment the page asks for the rest of the coin, not for all of it once more", async () => {
  const { shop, order } = await withCoin()
  shop.gateway.canTopUp()
  const gateways = new Map([["offshore", withOnSiteCache(shop.gateway.gateway)] as const])
  const services = { ...shop.services, gateways }
  expect((await getOrderProgress(services, order.id))?.pay?.transfer?.amount).toBe("0.00158")
  shop.gateway.takes([bitcoin], { ...transfer, amount: "0.00058" })
  shop.gateway.reports("partially-paid", 60_00)
  shop.wait(5 * SECOND)
  expect((await getOrderProgress(services, order.id))?.pay?.transfer?.amount).toBe("0.00058")
})

test("a failed payment changes the version that open pages poll", async () => {
  const { shop, order } = await withCoin()
  const before = (await getOrderProgress(shop.services, order.id))?.version
  shop.gateway.reports("failed", 0)
  shop.wait(5 * SECOND)
  expect((await getOrderProgress(shop.services, order.id))?.version).not.toBe(before)
})

test("a failed payment has ended, and paying again opens a new one in the same coin", async () => {
  const { shop, order } = await withCoin()
  shop.gateway.reports("failed", 0)
  shop.wait(5 * SECOND)
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ ended: true })
  shop.gateway.reports("pending", 0)
  const [first] = shop.gateway.opened
  expect((await payAgain(shop.services, order.id, fresh)).kind).toBe("opened")
  const second = shop.gateway.opened.at(-1)
  expect(second).toMatchObject({ coin: bitcoin, amount: order.total })
  expect(second?.attemptId).not.toBe(first?.attemptId)
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ ended: false, transfer })
})

test("a fresh quote closes the previous payment at a gateway that supports it", async () => {
  const { shop, order } = await withCoin()
  shop.gateway.canClose()
  expect((await payAgain(shop.services, order.id, fresh)).kind).toBe("opened")
  expect(shop.gateway.closed).toContain(shop.gateway.opened[0]?.attemptId)
  expect(shop.gateway.opened).toHaveLength(2)
})

test("two concurrent requests for one coin open one payment, and another coin opens another", async () => {
  const { shop, order } = await withCoin()
  const attempts = await Promise.all(
    [offshore, offshore].map((method) => openPayment(shop.services, order, method)),
  )
  expect(new Set(attempts.map((it) => it.kind === "opened" && it.attemptId)).size).toBe(1)
  const other = await openPayment(shop.services, order, { gateway: "offshore", coin: "LTC/CHAIN" })
  expect(other).not.toEqual(attempts[0])
})

/** An order with an on-site payment in bitcoin. */
async function withCoin() {
  const shop: TestShop = await openTestShop()
  shop.gateway.takes([bitcoin], transfer)
  const { order } = await buy(shop, { key: "draft-coin" })
  shop.gateway.opened.length = 0
  return { shop, order, opening: await openPayment(shop.services, order, offshore) }
}
