import { describe, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { money } from "~/domain/money"
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

/** Paying by another gateway than was chosen first, and coming back from one. */
export function changesOfMindContract(backend: () => BillingUnderTest): void {
  describe("another gateway for an order", () => {
    test("is noted, told, and its payment is the one that is shown", async () => {
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

    test("is none for an order that takes no money any more, or that is not there", async () => {
      const order = await active(backend())
      expect(await backend().payments.changeGateway(order.id, "coinbase", NOON)).toBe(false)
      expect(await backend().payments.changeGateway("none", "coinbase", NOON)).toBe(false)
    })

    test("is changed to once, when that is asked for ten times at once", async () => {
      const order = await placed(backend())
      const answers = await together(10, () => backend().payments.changeGateway(order.id, "coinbase", NOON))
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "gateway-changed"])
    })

    test("may be tried before the order is with it: what is shown stays the first one's", async () => {
      const order = await placed(backend())
      const first = await opened(backend(), order)
      const second = await opened(backend(), { ...order, gateway: "coinbase" })
      expect(second.id).not.toBe(first.id)
      expect(await backend().payments.latestAttempt(order.id)).toMatchObject({ id: first.id })
    })

    test("and back again after the first was closed is a new payment", async () => {
      const order = await placed(backend())
      const first = await opened(backend(), order)
      await backend().payments.markAttemptClosed(first.id)
      expect((await opened(backend(), order)).id).not.toBe(first.id)
    })

    test("closes no payment that has brought money", async () => {
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

    test("counts a payment at the first one though it was closed, and the second one is credit", async () => {
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

  describe("the rest as a payment of its own", () => {
    test("pays the order with what has come, and money that then comes to the first one is credit", async () => {
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

  describe("the way back from the gateway", () => {
    test("is for the first who comes by it, of ten at once", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      const answers = await together(10, () => backend().payments.redeemReturnToken(attempt.id, NOON))
      expect(answers.every((it) => it?.orderId === order.id)).toBe(true)
      expect(answers.filter((it) => it?.first)).toHaveLength(1)
    })

    test("leads nowhere when there is no such attempt", async () => {
      expect(await backend().payments.redeemReturnToken("nobody", NOON)).toBeNull()
    })
  })
}
