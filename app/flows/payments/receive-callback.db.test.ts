import { expect, test } from "vitest"
import { money } from "~/domain/money"
import { GatewayError, UntrustedCallback } from "~/gateways/gateway"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { receiveCallback } from "./receive-callback.server"

const callback = { headers: new Headers(), body: Buffer.alloc(0), at: 0, address: null }

test("a gateway that calls with the sum itself is believed, and not asked", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await bought(shop)
  const news = { eventKey: "e-1", attemptId, status: "paid", transactionId: null } as const
  calls(shop, { ...news, received: money(TOTAL, "EUR") })
  expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect(await statusOf(shop, order.id)).toBe("paid")
  expect(shop.gateway.asked).toEqual([])
})

test("a gateway that only says that something has happened is asked, and its answer is booked", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await bought(shop)
  calls(shop, { askAbout: attemptId, attemptId })
  shop.gateway.says("paid", TOTAL)
  expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect(shop.gateway.asked).toEqual([attemptId])
  expect(await statusOf(shop, order.id)).toBe("paid")
})

test("a call that tells of money when there is none books none, however often it comes", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await bought(shop)
  calls(shop, { askAbout: attemptId, attemptId })
  for (const _ of [1, 2])
    expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect(await statusOf(shop, order.id)).toBe("awaiting-payment")
})

test("the same call twice books the money once", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await bought(shop)
  calls(shop, { askAbout: attemptId, attemptId })
  shop.gateway.says("partially-paid", 500)
  for (const _ of [1, 2]) await receiveCallback(shop.services, "offshore", callback)
  expect(await shop.services.billing.order(order.id)).toMatchObject({ received: money(500, "EUR") })
})

test("money that comes after the payment had expired is asked for and counts", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await bought(shop)
  calls(shop, { askAbout: attemptId, attemptId })
  shop.gateway.says("expired", 0)
  await receiveCallback(shop.services, "offshore", callback)
  shop.gateway.says("paid", TOTAL)
  await receiveCallback(shop.services, "offshore", callback)
  expect(await statusOf(shop, order.id)).toBe("paid")
})

test("while the gateway does not answer nothing is stored, and it is left to call again", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await bought(shop)
  calls(shop, { askAbout: attemptId, attemptId })
  shop.gateway.says("paid", TOTAL)
  shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  await expect(receiveCallback(shop.services, "offshore", callback)).rejects.toThrow(GatewayError)
  expect(await statusOf(shop, order.id)).toBe("awaiting-payment")
})

test("a gateway that calls about one attempt and answers about another is not believed", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await bought(shop)
  calls(shop, { askAbout: attemptId, attemptId: "another" })
  shop.gateway.says("paid", TOTAL)
  const failure = receiveCallback(shop.services, "offshore", callback)
  await expect(failure).rejects.toMatchObject({ name: "GatewayError", kind: "unreadable" })
  expect(await statusOf(shop, order.id)).toBe("awaiting-payment")
})

test("a call that cannot be trusted is refused, and nobody is asked", async () => {
  const shop = await openTestShop()
  await bought(shop)
  calls(shop, new UntrustedCallback("signature does not match"))
  expect(await receiveCallback(shop.services, "offshore", callback)).toMatchObject({
    kind: "refused",
    retryAfterSeconds: 0,
  })
  expect(shop.gateway.asked).toEqual([])
  expect(shop.log.at(-1)).toMatchObject({ msg: "callback refused", reason: "signature does not match" })
})

test("a call about something else is accepted and changes nothing", async () => {
  const shop = await openTestShop()
  calls(shop, null)
  expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect(await receiveCallback(shop.services, "btcpay", callback)).toEqual({ kind: "no-such-gateway" })
})

async function bought(shop: TestShop) {
  const { order } = await buy(shop)
  const attempt = await shop.services.till.latestAttempt(order.id)
  return { order, attemptId: attempt?.id ?? "" }
}

/** From now on its gateway calls with this. */
function calls(shop: TestShop, said: ReturnType<TestShop["gateway"]["gateway"]["readCallback"]> | Error) {
  shop.gateway.gateway.readCallback = () => {
    if (said instanceof Error) throw said
    return said
  }
}

async function statusOf(shop: TestShop, orderId: string) {
  return (await shop.services.billing.order(orderId))?.status
}
