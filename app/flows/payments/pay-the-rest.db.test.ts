import { expect, test } from "vitest"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { sweep } from "~/flows/jobs/reconcile.server"
import { GatewayError } from "~/gateways/gateway"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { changeGateway, payAgain } from "./change-gateway.server"
import { getOrderProgress } from "./get-order-progress.server"

const LESS = TOTAL - 15_00
const again = { visitor: null, requote: false }

test("the rest is paid where the first part was, while that takes top-ups and is open", async () => {
  const { shop, order } = await paidInPart({ topUps: true })
  const watched = await getOrderProgress(shop.services, order.id)
  expect(watched?.pay).toMatchObject({ ended: false, url: firstUrl(shop) })
  expect(await payAgain(shop.services, order.id, again)).toMatchObject({ url: firstUrl(shop) })
  expect(shop.gateway.opened).toHaveLength(1)
})

test("the rest is a new payment over the rest, at the only gateway there is, where that takes no top-up", async () => {
  const { shop, order } = await paidInPart({ topUps: false })
  const services = onlyOffshore(shop)
  expect((await getOrderProgress(services, order.id))?.pay).toMatchObject({ ended: true })
  expect((await payAgain(services, order.id, again)).kind).toBe("opened")
  expect(shop.gateway.opened).toHaveLength(2)
  expect(shop.gateway.opened.at(-1)?.amount).toEqual({ minor: 15_00, currency: "EUR" })
  expect((await getOrderProgress(services, order.id))?.pay).toMatchObject({ ended: false })
  // A second press returns that payment, not a third one.
  await payAgain(services, order.id, again)
  expect(shop.gateway.opened).toHaveLength(2)
})

test("the rest is a new payment once the provider has said that the first one has ended", async () => {
  const { shop, order } = await paidInPart({ topUps: true, ended: true })
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ ended: true })
  await payAgain(shop.services, order.id, again)
  expect(shop.gateway.opened.at(-1)?.amount.minor).toBe(15_00)
})

test("nobody is led to a payment whose time is over, though the provider does not answer", async () => {
  const shop = await openTestShop()
  shop.gateway.lastsFor(HOUR)
  const { order } = await buy(shop)
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ ended: false })
  shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  shop.wait(HOUR)
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ ended: true })
  shop.gateway.fail(null)
  expect((await payAgain(shop.services, order.id, again)).kind).toBe("opened")
  expect(shop.gateway.opened).toHaveLength(2)
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ ended: false })
})

test("a payment over the whole price is no way to pay what is left after another one has brought a part", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.wait(3 * SECOND)
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  shop.gateway.says("partially-paid", LESS)
  shop.wait(3 * MINUTE)
  await sweep(shop.services, "this instance")
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ ended: true })
  await payAgain(shop.services, order.id, again)
  expect(shop.other.opened.at(-1)?.amount.minor).toBe(15_00)
})

test("the rest can be paid by another gateway, and what then comes to both is credit", async () => {
  const { shop, order } = await paidInPart({ topUps: true })
  shop.wait(3 * SECOND)
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  expect(shop.other.opened.at(-1)?.amount.minor).toBe(15_00)
  shop.gateway.says("paid", TOTAL)
  shop.other.says("paid", 15_00)
  shop.wait(3 * MINUTE)
  await sweep(shop.services, "this instance")
  const shown = await shop.billing.operator.order(order.id)
  expect(shown).toMatchObject({ order: { status: "paid" }, credit: [{ minor: 15_00, currency: "EUR" }] })
})

test("a payment that is on its way is waited for, and never asked for again", async () => {
  const shop = await openTestShop()
  shop.gateway.lastsFor(MINUTE)
  const { order } = await buy(shop)
  shop.gateway.says("processing", 0)
  shop.wait(2 * MINUTE)
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({
    ended: false,
    underWay: true,
  })
  await payAgain(shop.services, order.id, again)
  expect(shop.gateway.opened).toHaveLength(1)
})

/** An order that is paid except for fifteen euros. */
async function paidInPart({ topUps, ended = false }: { topUps: boolean; ended?: boolean }) {
  const shop = await openTestShop()
  if (topUps) shop.gateway.canTopUp()
  const { order } = await buy(shop)
  shop.gateway.says("partially-paid", LESS, ended)
  shop.wait(3 * SECOND)
  await getOrderProgress(shop.services, order.id)
  shop.gateway.says("pending", 0)
  return { shop, order }
}

function onlyOffshore(shop: TestShop): TestShop["services"] {
  const gateways = new Map([...shop.services.gateways].filter(([id]) => id === "offshore"))
  return { ...shop.services, gateways, enabledGateways: ["offshore"] }
}

function firstUrl({ gateway }: TestShop): string {
  return `https://pay.test/${gateway.opened[0]?.attemptId}`
}
