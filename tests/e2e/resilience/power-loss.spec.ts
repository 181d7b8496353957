import { setTimeout as pause } from "node:timers/promises"
import { integer, noBias, sample } from "fast-check"
import { expect } from "playwright/test"
import { startShopWithRemoteGateway, startShopWithUnreliableGateway } from "../../fakes/faulty-gateway"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { buyWithRetries } from "../../fixtures/retrying-buyer"
import { readStoredRows } from "../../fixtures/stored-data"
import { Browser } from "../../support/browser/no-script-browser"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

test("a power loss after the checkout form keeps the review step", deep, async () => {
  const shop = await startShop()
  const review = await chooseAndPay(new Browser(), { shop })
  await powerCut(shop)
  await waitForAccess(await payAt(await goToGateway(review)))
  expectPurchases(shop, 1)
  await shop.stop()
})

test(
  "after a power loss during the gateway request the same submission finds the same order",
  deep,
  async () => {
    const { shop, gateway, stop } = await startShopWithUnreliableGateway()
    const review = await chooseAndPay(new Browser(), { shop })
    gateway.set("hang")
    const lost = expect(goToGateway(review)).rejects.toThrow("fetch failed")
    await expect.poll(() => readStoredRows(shop.dataDir).attempts).toHaveLength(1)
    const [started] = readStoredRows(shop.dataDir).orders
    await powerCut(shop)
    await lost

    gateway.set("pass")
    await waitForAccess(await payAt(await goToGateway(review)))
    expect(readStoredRows(shop.dataDir).orders[0]?.id).toBe(started?.id)
    expectPurchases(shop, 1)
    await stop()
  },
)

test("a payment made during a power loss is found afterwards", deep, async () => {
  const { shop, provider } = await startShopWithRemoteGateway()
  const payment = await goToGateway(await chooseAndPay(new Browser(), { shop }))
  await shop.kill9()
  await expect(payAt(payment)).rejects.toThrow("fetch failed")
  await shop.restart()
  const waiting = await payment.follow(/waiting/)
  await waitForAccess(waiting)
  expectPurchases(shop, 1)
  await shop.stop()
  await provider.stop()
})

test("records the payment once after a power loss during the payment", async () => {
  const { shop, provider } = await startShopWithRemoteGateway()
  const payment = await goToGateway(await chooseAndPay(new Browser(), { shop }))
  const body = new URLSearchParams({ outcome: "paid-twice" })
  await fetch(payment.url, { method: "POST", body, redirect: "manual" })
  await powerCut(shop)
  await waitForAccess(await payment.follow(/waiting/))
  expectPurchases(shop, 1)
  await shop.stop()
  await provider.stop()
})

test("provisions the service once after a power loss during the callback", deep, async () => {
  const { shop, provider } = await startShopWithRemoteGateway()
  const payment = await goToGateway(await chooseAndPay(new Browser(), { shop }))
  const body = new URLSearchParams({ outcome: "paid" })
  await fetch(payment.url, { method: "POST", body, redirect: "manual" })
  await expect.poll(() => readStoredRows(shop.dataDir).movements, { intervals: [1] }).toHaveLength(1)
  await powerCut(shop)
  await waitForAccess(await payment.follow(/waiting/))
  expectPurchases(shop, 1)
  await shop.stop()
  await provider.stop()
})

const moments = sample(noBias(integer({ min: 0, max: 250 })), { seed: 2, numRuns: 8 })

test(
  `power losses ${moments.join(", ")} ms after the start of a purchase each leave one completed purchase`,
  deep,
  async () => {
    // Milliseconds. A power loss can interrupt provisioning; its job is claimed again after 40 seconds.
    test.setTimeout(400_000)
    const shop = await startShop()
    for (const [index, moment] of moments.entries()) {
      const bought = buyWithRetries(shop)
      await pause(moment)
      await powerCut(shop)
      await bought
      expectPurchases(shop, index + 1)
    }
    await shop.stop()
  },
)

async function powerCut(shop: TestServer) {
  await shop.kill9()
  await shop.restart()
}

function expectPurchases({ dataDir }: TestServer, count: number) {
  const { orders, movements, services } = readStoredRows(dataDir)
  const each = <T>(one: T) => Array<T>(count).fill(one)
  expect(orders).toMatchObject(each({ status: "active", total: 7900, received: 7900 }))
  expect(movements).toEqual(each({ amount: 7900 }))
  expect(services).toMatchObject(each({ status: "Active" }))
}
