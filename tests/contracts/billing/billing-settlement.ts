import { describe, expect, test } from "vitest"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money"
import {
  type BillingUnderTest,
  NOON,
  news,
  opened,
  orderNow,
  placed,
  timelineKinds,
  together,
  unique,
} from "./billing-fixtures"
import { moneyAddsUp } from "./billing-ledger-properties"

/** What news of a payment does. */
export function settlementContract(books: () => BillingUnderTest): void {
  const record = (it: ReturnType<typeof news>, at = NOON) =>
    books().payments.recordPaymentUpdate("offshore", it, at)
  const jobs = () => books().outbox.claim(NOON + 30 * DAY, HOUR, 100)

  describe("news of a payment", () => {
    test("in full makes the order paid and its service is set up", async () => {
      const order = await placed(books())
      const attempt = await opened(books(), order)
      const recorded = await record(news(attempt, "paid", 2_000))
      expect(recorded).toEqual({ kind: "applied", orderId: order.id, told: "paid" })
      expect(await orderNow(books(), order)).toMatchObject({ status: "paid", received: money(2_000, "EUR") })
      expect(await jobs()).toMatchObject([{ topic: "provision", subject: order.serviceId, tries: 0 }])
      expect((await books().billing.timeline(order.id)).at(-1)).toEqual({
        ...{ kind: "paid", at: NOON, amount: money(2_000, "EUR"), reference: `tx-${attempt.id}` },
      })
    })

    test("of less leaves the rest to be paid, in another attempt if need be", async () => {
      const order = await placed(books())
      expect(await record(news(await opened(books(), order), "partially-paid", 1_500))).toMatchObject({
        told: "partly-paid",
      })
      expect(await orderNow(books(), order)).toMatchObject({ status: "partially-paid" })
      await record(news(await opened(books(), order, 500), "paid", 500))
      expect(await orderNow(books(), order)).toMatchObject({ status: "paid", received: money(2_000, "EUR") })
      expect(await jobs()).toHaveLength(1)
    })

    test("of more makes what is too much the customer's credit", async () => {
      const order = await placed(books())
      await record(news(await opened(books(), order), "paid", 2_300))
      expect(await books().ledger(order.id)).toEqual({
        ...{ received: [money(2_300, "EUR")], credit: [money(300, "EUR")] },
      })
      expect(await timelineKinds(books(), order)).toEqual(["placed", "handed-off", "paid", "overpaid"])
    })

    test("of two attempts at once pays the order with one and credits the other", async () => {
      const order = await placed(books())
      const both = [await opened(books(), order), await opened(books(), order, 1_999)]
      await Promise.all(both.map((attempt) => record(news(attempt, "paid", 2_000))))
      expect(await orderNow(books(), order)).toMatchObject({ status: "paid", received: money(4_000, "EUR") })
      expect((await books().ledger(order.id)).credit).toEqual([money(2_000, "EUR")])
      expect(await jobs()).toHaveLength(1)
    })

    test("that comes twenty times at once is booked once", async () => {
      const order = await placed(books())
      const paid = news(await opened(books(), order), "paid", 2_000)
      const recorded = await together(20, () => record(paid))
      expect(recorded.filter(({ kind }) => kind === "applied")).toHaveLength(1)
      expect(recorded.filter(({ kind }) => kind === "duplicate")).toHaveLength(19)
      expect((await books().ledger(order.id)).received).toEqual([money(2_000, "EUR")])
    })

    test("that comes in twenty different words at once counts the money once", async () => {
      const order = await placed(books())
      const attempt = await opened(books(), order)
      const amounts = Array.from({ length: 20 }, (_, step) => (step + 1) * 100)
      await Promise.all(
        amounts.map((minor) => record(news(attempt, minor === 2_000 ? "paid" : "partially-paid", minor))),
      )
      expect(await orderNow(books(), order)).toMatchObject({ status: "paid", received: money(2_000, "EUR") })
      expect(await jobs()).toHaveLength(1)
    })

    test("that is worse than what is known changes nothing", async () => {
      const order = await placed(books())
      const attempt = await opened(books(), order)
      await record(news(attempt, "paid", 2_000))
      const before = await orderNow(books(), order)
      expect(await record(news(attempt, "expired", 0))).toEqual({
        ...{ kind: "applied", orderId: order.id, told: null },
      })
      expect(await orderNow(books(), order)).toEqual(before)
    })

    test.each([
      ["processing", "seen"],
      ["failed", "payment-failed"],
      ["expired", "payment-expired"],
    ] as const)("that it is %s is told, and no money moves", async (status, told) => {
      const order = await placed(books())
      const attempt = await opened(books(), order)
      expect(await record(news(attempt, status, 0))).toMatchObject({ kind: "applied", told })
      expect(await timelineKinds(books(), order)).toEqual(["placed", "handed-off", told])
      expect(await orderNow(books(), order)).toMatchObject({ status: "awaiting-payment" })
    })

    test("of an attempt nobody made is unknown", async () => {
      const attempt = await opened(books(), await placed(books()))
      expect(await record(news({ ...attempt, id: "none" }, "paid", 1))).toEqual({ kind: "unknown-attempt" })
    })

    test("in another currency changes nothing", async () => {
      const order = await placed(books())
      const paid = news(await opened(books(), order), "paid", 2_000)
      const before = await orderNow(books(), order)
      expect(await record({ ...paid, received: money(2_000, "USD") })).toEqual({
        ...{ kind: "currency-mismatch", orderId: order.id },
      })
      expect(await orderNow(books(), order)).toEqual(before)
      expect(await record(paid)).toMatchObject({ kind: "applied" })
    })

    test.each(["aborted", "deadlinePassed"] as const)(
      "that comes after the order was given up (%s) is accepted and flagged as late",
      async (event) => {
        const order = await placed(books())
        const attempt = await opened(books(), order)
        await books().billing.applyOrderEvent(order.id, event, NOON + DAY)
        await record(news(attempt, "paid", 2_000), NOON + 2 * DAY)
        expect(await orderNow(books(), order)).toMatchObject({ status: "paid" })
        expect(await books().billing.service(order.serviceId)).toMatchObject({ status: "Pending" })
        expect((await timelineKinds(books(), order)).slice(-2)).toEqual(["late", "paid"])
        expect(await jobs()).toHaveLength(1)
      },
    )

    test("for an order that is held as suspicious is credit, and the order stays held", async () => {
      const order = await placed(books())
      const amount = money(2_000, "EUR")
      const attempt = await books().payments.findOrCreateAttempt({
        ...{ orderId: order.id, gateway: "offshore", coin: null, amount, id: unique(), at: NOON },
      })
      await books().billing.fraudOrder(order.id, "blocked country XK", NOON)
      expect(await record(news(attempt, "paid", 2_000))).toMatchObject({ kind: "applied" })
      expect(await books().ledger(order.id)).toEqual({ received: [amount], credit: [amount] })
      expect((await timelineKinds(books(), order)).at(-1)).toBe("credited")
      expect(await orderNow(books(), order)).toMatchObject({ status: "fraud", received: amount })
      expect(await books().billing.service(order.serviceId)).toMatchObject({ status: "Cancelled" })
      expect(await jobs()).toEqual([])
    })

    test("that crosses the buyer giving up still leads to a service, once", async () => {
      const order = await placed(books())
      const paid = news(await opened(books(), order), "paid", 2_000)
      await Promise.all([record(paid), books().billing.applyOrderEvent(order.id, "aborted", NOON)])
      expect(await orderNow(books(), order)).toMatchObject({ status: "paid" })
      expect(await books().billing.service(order.serviceId)).toMatchObject({ status: "Pending" })
      expect(await jobs()).toHaveLength(1)
    })

    test("in whatever order and number: the money adds up, paid stays paid, one service is set up", () =>
      moneyAddsUp(books()))
  })
}
