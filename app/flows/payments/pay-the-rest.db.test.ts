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

test("the rest is paid with the open payment when its gateway takes top-ups", async () => {
  const { shop, order } = await paidInPart({ topUps: true })
  const watched = await getOrderProgress(shop.services, order.id)
  expect(watched?.pay).toMatchObject({ ended: false, url: firstUrl(shop) })
  expect(await payAgain(shop.services, order.id, again)).toMatchObject({ url: firstUrl(shop) })
  expect(shop.gateway.opened).toHaveLength(1)
})

test("opens a new payment over the rest at the only gateway when that takes no top-ups", async () => {
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

test("opens a new payment over the rest once the first payment has ended", async () => {
  const { shop, order } = await paidInPart({ topUps: true, ended: true })
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ ended: true })
  await payAgain(shop.services, order.id, again)
  expect(shop.gateway.opened.at(-1)?.amount.minor).toBe(15_00)
})

test("treats a payment as ended after its expiry, even while the gateway is unavailable", async () => {
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

test("does not reuse a payment over the full price after a partial payment at another gateway", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.wait(3 * SECOND)
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  shop.gateway.reports("partially-paid", LESS)
  shop.wait(3 * MINUTE)
  await sweep(shop.services, "this instance")
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ ended: true })
  await payAgain(shop.services, order.id, again)
  expect(shop.other.opened.at(-1)?.amount.minor).toBe(15_00)
})

test("the rest can be paid at another gateway, and an overpayment across both is credited", async () => {
  const { shop, order } = await paidInPart({ topUps: true })
  shop.wait(3 * SECOND)
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  expect(shop.other.opened.at(-1)?.amount.minor).toBe(15_00)
  shop.gateway.reports("paid", TOTAL)
  shop.other.reports("paid", 15_00)
  shop.wait(3 * MINUTE)
  await sweep(shop.services, "this instance")
  const shown = await shop.billing.operator.order(order.id)
  expect(shown).toMatchObject({
    order: { status: "paid" },
    accountCredit: [{ minor: 15_00, currency: "EUR" }],
  })
})

test("waits for a processing payment and opens no other", async () => {
  const shop = await openTestShop()
  shop.gateway.lastsFor(MINUTE)
  const { order } = await buy(shop)
  shop.gateway.reports("processing", 0)
  shop.wait(2 * MINUTE)
  expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({
    ended: false,
    isProcessing: true,
  })
  await payAgain(shop.services, order.id, again)
  expect(shop.gateway.opened).toHaveLength(1)
})

/** An order that is paid except for fifteen euros. */
async function paidInPart({ topUps, ended = false }: { topUps: boolean; ended?: boolean }) {
  const shop = await openTestShop()
  if (topUps) shop.gateway.canTopUp()
  const { order } = await buy(shop)
  shop.gateway.reports("partially-paid", LESS, ended)
  shop.wait(3 * SECOND)
  await getOrderProgress(shop.services, order.id)
  shop.gateway.reports("pending", 0)
  return { shop, order }
}

function onlyOffshore(shop: TestShop): TestShop["services"] {
  const gateways = new Map([...shop.services.gateways].filter(([id]) => id === "offshore"))
  return { ...shop.services, gateways, enabledGateways: ["offshore"] }
}

function firstUrl({ gateway }: TestShop): string {
  return `https://pay.test/${gateway.opened[0]?.attemptId}`
}
