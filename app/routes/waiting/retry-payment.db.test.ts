import { afterEach, beforeEach, expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { getOrderVersion } from "~/flows/payments/get-order-progress.server"
import { GatewayError } from "~/gateways/gateway"
import { enEn } from "~/i18n/screen-texts/en-en"
import { buy } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let order: Order
beforeEach(async () => {
  shop = await openTestShop()
  order = (await buy(shop)).order
})
afterEach(() => shop.billing.close())

async function waitingPage(form?: Record<string, string>) {
  const session = { orderId: order.id, sealedAt: shop.services.now() }
  const response = await respond(shop.services, { path: "/waiting.data", session, ...(form && { form }) })
  return {
    status: response.status,
    location: response.headers.get("location"),
    retryAfter: response.headers.get("retry-after"),
    text: await response.text(),
  }
}

/** The gateway opens no payment; returns how it does again. */
function breakGateway(retryAfterSeconds: number | null = null): () => void {
  const gateway = shop.services.gateways.get("offshore")
  if (!gateway) throw new Error("No gateway")
  const { startPayment } = gateway
  gateway.startPayment = async () => {
    throw new GatewayError("unavailable", "away", { retryAfterSeconds })
  }
  return () => {
    gateway.startPayment = startPayment
  }
}

test("a failed payment can be tried again after a try during an outage of its gateway", async () => {
  shop.gateway.reports("failed", 0)
  shop.wait(5 * SECOND)
  expect((await waitingPage()).text).toContain(enEn.unpaid.failed)
  const mendGateway = breakGateway()
  expect((await waitingPage({ intent: "retry" })).status).toBe(503)
  const { text } = await waitingPage()
  expect(text).toContain(enEn.unpaid.failed)
  expect(text).not.toContain('"pay",null')
  const version = await getOrderVersion(shop.services, order.id)
  expect(text).toContain(version?.version)
  mendGateway()
  expect((await waitingPage({ intent: "retry" })).text).toContain("https://pay.test/")
})

test("an open payment stays payable while another one at its gateway cannot be opened", async () => {
  const coin = { currency: "USDT", network: "tron" }
  const transfer = { coin, amount: "13.41", address: "TXyz", uri: "TXyz", seen: "0", confirmations: null }
  shop.gateway.takes([coin], { ...transfer, expiresAt: shop.services.now() + 600 * SECOND })
  breakGateway()
  const chosen = { intent: "gateway", gateway: "offshore", "coin-offshore": "USDT/tron" }
  expect((await waitingPage(chosen)).status).toBe(503)
  expect((await waitingPage()).text).toContain("https://pay.test/")
})

test("a payment that external billing cannot open for two minutes asks for the next try after them", async () => {
  shop.gateway.reports("failed", 0)
  shop.wait(5 * SECOND)
  breakGateway(120)
  expect(await waitingPage({ intent: "retry" })).toMatchObject({ status: 503, retryAfter: "120" })
})
