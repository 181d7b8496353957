import { describe, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import {
  active,
  type BillingUnderTest,
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  timelineKinds,
  together,
} from "./billing-fixtures"

/** Tests paying with another gateway than the first one, and return tokens. */
export function changesOfMindContract(backend: () => BillingUnderTest): void {
  describe("changing the gateway of an order", () => {
    test("changing the gateway is recorded in the timeline, and the new payment is the current one", async () => {
      const order = await placed(backend())
      await opened(backend(), order)
      expect(await backend().payments.changeGateway(order.id, "coinbase", NOON)).toBe(true)
      expect(await backend().payments.changeGateway(order.id, "coinbase", NOON)).toBe(false)
      const second = await opened(backend(), { ...order, gateway: "coinbase" })
      expect((await orderNow(backend(), order)).gateway).toBe("coinbase")
      expect(await backend().payments.latestAttempt(order.id)).toMatchObject({ id: second.id })
      expect(await backend().payments.openAttempts(order.id)).toHaveLength(2)
      const [event] = (await backend().billing.timeline(order.id)).filter(
        ({ kind }) => kind === "gateway-changed",
      )
      expect(event?.reference).toBe("coinbase")
    })

    test("changing the gateway is rejected for an unknown order and one that takes no payment", async () => {
      const order = await active(backend())
      expect(await backend().payments.changeGateway(order.id, "coinbase", NOON)).toBe(false)
      expect(await backend().payments.changeGateway("none", "coinbase", NOON)).toBe(false)
    })

    test("ten concurrent changes of the gateway apply once", async () => {
      const order = await placed(backend())
      const results = await together(10, () => backend().payments.changeGateway(order.id, "coinbase", NOON))
      expect(results.filter(Boolean)).toHaveLength(1)
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "gateway-changed"])
    })

    test("an attempt before the change does not replace the current payment", async () => {
      const order = await placed(backend())
      const first = await opened(backend(), order)
      const second = await opened(backend(), { ...order, gateway: "coinbase" })
      expect(second.id).not.toBe(first.id)
      expect(await backend().payments.latestAttempt(order.id)).toMatchObject({ id: first.id })
    })

    test("changing back to a gateway with a closed attempt creates a new attempt", async () => {
      const order = await placed(backend())
      const first = await opened(backend(), order)
      await backend().payments.markAttemptClosed(first.id)
      expect((await opened(backend(), order)).id).not.toBe(first.id)
    })

    test("changing the gateway does not close an attempt with received money", async () => {
      const order = await placed(backend())
      const first = await opened(backend(), order)
      await backend().payments.recordPaymentUpdate(
        "offshore",
        paymentUpdate(first, "partially-paid", 500),
        NOON,
      )
      await backend().payments.markAttemptClosed(first.id)
      expect(await backend().payments.openAttempts(order.id)).toMatchObject([{ id: first.id }])
    })

    test("a payment of a closed attempt pays the order, and the second payment becomes credit", async () => {
      const order = await placed(backend())
      const first = await opened(backend(), order)
      const second = await opened(backend(), { ...order, gateway: "coinbase" })
      await backend().payments.markAttemptClosed(first.id)
      expect((await backend().payments.openAttempts(order.id)).map(({ id }) => id)).toEqual([second.id])
      await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(first, "paid", 2_000), NOON)
      expect((await orderNow(backend(), order)).status).toBe("paid")
      await backend().payments.recordPaymentUpdate("coinbase", paymentUpdate(second, "paid", 2_000), NOON)
      const { received, credit } = await backend().ledger(order.id)
      expect(received).toEqual([money(2_000, "EUR"), money(2_000, "EUR")])
      expect(credit).toEqual([money(2_000, "EUR")])
      expect(await backend().outbox.claim(NOON, HOUR, 9)).toHaveLength(1)
    })
  })

  describe("paying the rest with another gateway", () => {
    test("received money and the rest pay the order, and a later payment of the first attempt becomes credit", async () => {
      const order = await placed(backend())
      const first = await opened(backend(), order)
      await backend().payments.recordPaymentUpdate(
        "offshore",
        paymentUpdate(first, "partially-paid", 1_600),
        NOON,
      )
      const rest = await opened(backend(), order, 400)
      await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(rest, "paid", 400), NOON)
      expect((await orderNow(backend(), order)).status).toBe("paid")
      await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(first, "paid", 2_000), NOON)
      expect((await backend().ledger(order.id)).credit).toEqual([money(400, "EUR")])
      expect(await backend().outbox.claim(NOON, HOUR, 9)).toHaveLength(1)
    })
  })

  describe("return token", () => {
    test("a return token is redeemed by one of ten concurrent requests", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      const results = await together(10, () => backend().payments.redeemReturnToken(attempt.id, NOON))
      expect(results.every((it) => it?.orderId === order.id)).toBe(true)
      expect(results.filter((it) => it?.first)).toHaveLength(1)
    })

    test("a return token of an unknown attempt is rejected", async () => {
      expect(await backend().payments.redeemReturnToken("nobody", NOON)).toBeNull()
    })
  })
}
