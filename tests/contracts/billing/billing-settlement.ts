import { describe, expect, test } from "vitest"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import {
  type BillingUnderTest,
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  timelineKinds,
  together,
  unique,
} from "./billing-fixtures"
import { moneyAddsUp } from "./billing-ledger-properties"

/** Tests the effects of payment updates. */
export function settlementContract(backend: () => BillingUnderTest): void {
  const record = (it: ReturnType<typeof paymentUpdate>, at = NOON) =>
    backend().payments.recordPaymentUpdate("offshore", it, at)
  const jobs = () => backend().outbox.claim(NOON + 30 * DAY, HOUR, 100)

  describe("payment update", () => {
    test("a full payment marks the order paid and provisions its service", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      const recorded = await record(paymentUpdate(attempt, "paid", 2_000))
      expect(recorded).toEqual({ kind: "applied", orderId: order.id, event: "paid", isPaid: true })
      expect(await orderNow(backend(), order)).toMatchObject({
        status: "paid",
        received: money(2_000, "EUR"),
      })
      expect(await jobs()).toMatchObject([{ topic: "provision", subject: order.serviceId, tries: 0 }])
      expect((await backend().billing.timeline(order.id)).at(-1)).toEqual({
        kind: "paid",
        at: NOON,
        amount: money(2_000, "EUR"),
        reference: `tx-${attempt.id}`,
      })
    })

    test("a partial payment leaves the rest due, in another attempt if necessary", async () => {
      const order = await placed(backend())
      expect(
        await record(paymentUpdate(await opened(backend(), order), "partially-paid", 1_500)),
      ).toMatchObject({
        event: "partly-paid",
      })
      expect(await orderNow(backend(), order)).toMatchObject({ status: "partially-paid" })
      await record(paymentUpdate(await opened(backend(), order, 500), "paid", 500))
      expect(await orderNow(backend(), order)).toMatchObject({
        status: "paid",
        received: money(2_000, "EUR"),
      })
      expect(await jobs()).toHaveLength(1)
    })

    test("an overpayment becomes account credit", async () => {
      const order = await placed(backend())
      await record(paymentUpdate(await opened(backend(), order), "paid", 2_300))
      expect(await backend().ledger(order.id)).toEqual({
        received: [money(2_300, "EUR")],
        credit: [money(300, "EUR")],
      })
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "handed-off", "paid", "overpaid"])
    })

    test("concurrent payments of two attempts pay the order with one and credit the other", async () => {
      const order = await placed(backend())
      const both = [await opened(backend(), order), await opened(backend(), order, 1_999)]
      await Promise.all(both.map((attempt) => record(paymentUpdate(attempt, "paid", 2_000))))
      expect(await orderNow(backend(), order)).toMatchObject({
        status: "paid",
        received: money(4_000, "EUR"),
      })
      expect((await backend().ledger(order.id)).credit).toEqual([money(2_000, "EUR")])
      expect(await jobs()).toHaveLength(1)
    })

    test("twenty concurrent copies of a payment update are applied once", async () => {
      const order = await placed(backend())
      const paid = paymentUpdate(await opened(backend(), order), "paid", 2_000)
      const recorded = await together(20, () => record(paid))
      expect(recorded.filter(({ kind }) => kind === "applied")).toHaveLength(1)
      expect(recorded.filter(({ kind }) => kind === "duplicate")).toHaveLength(19)
      expect((await backend().ledger(order.id)).received).toEqual([money(2_000, "EUR")])
    })

    test("of seen, failed and expired the last report counts, and one that is repeated only if the provider was asked", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      const reports = new Map(
        (["processing", "failed", "expired"] as const).map((it) => [it, paymentUpdate(attempt, it, 0)]),
      )
      const report = async (status: "processing" | "failed" | "expired", isFetched: boolean) => {
        const update = reports.get(status)
        if (update) await record({ ...update, isFetched })
        return (await backend().payments.latestAttempt(order.id))?.status
      }
      expect(await report("failed", false)).toBe("failed")
      expect(await report("processing", false)).toBe("processing")
      expect(await report("failed", false)).toBe("processing")
      expect(await report("failed", true)).toBe("failed")
      expect(await report("expired", true)).toBe("expired")
      expect(await timelineKinds(backend(), order)).toEqual([
        "placed",
        "handed-off",
        "payment-failed",
        "seen",
        "payment-failed",
        "payment-expired",
      ])
    })

    test("twenty concurrent updates with different event ids count the money once", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      const amounts = Array.from({ length: 20 }, (_, step) => (step + 1) * 100)
      await Promise.all(
        amounts.map((minor) =>
          record(paymentUpdate(attempt, minor === 2_000 ? "paid" : "partially-paid", minor)),
        ),
      )
      expect(await orderNow(backend(), order)).toMatchObject({
        status: "paid",
        received: money(2_000, "EUR"),
      })
      expect(await jobs()).toHaveLength(1)
    })

    test("an update with a worse status than the stored one changes nothing", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      await record(paymentUpdate(attempt, "paid", 2_000))
      const before = await orderNow(backend(), order)
      expect(await record(paymentUpdate(attempt, "expired", 0))).toEqual({
        kind: "applied",
        orderId: order.id,
        event: null,
        isPaid: false,
      })
      expect(await orderNow(backend(), order)).toEqual(before)
    })

    test.each([
      ["processing", "seen"],
      ["failed", "payment-failed"],
      ["expired", "payment-expired"],
    ] as const)("records the status %s in the timeline and moves no money", async (status, event) => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      expect(await record(paymentUpdate(attempt, status, 0))).toMatchObject({ kind: "applied", event })
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "handed-off", event])
      expect(await orderNow(backend(), order)).toMatchObject({ status: "awaiting-payment" })
    })

    test("an update for an unknown attempt is reported as unknown", async () => {
      const attempt = await opened(backend(), await placed(backend()))
      expect(await record(paymentUpdate({ ...attempt, id: "none" }, "paid", 1))).toEqual({
        kind: "unknown-attempt",
      })
    })

    test("an update from another gateway than the attempt's is reported as unknown and moves no money", async () => {
      const order = await placed(backend())
      const paid = paymentUpdate(await opened(backend(), order), "paid", 2_000)
      const before = await orderNow(backend(), order)
      expect(await backend().payments.recordPaymentUpdate("btcpay", paid, NOON)).toEqual({
        kind: "unknown-attempt",
      })
      expect(await orderNow(backend(), order)).toEqual(before)
    })

    test("an update in another currency changes nothing", async () => {
      const order = await placed(backend())
      const paid = paymentUpdate(await opened(backend(), order), "paid", 2_000)
      const before = await orderNow(backend(), order)
      expect(await record({ ...paid, received: money(2_000, "USD") })).toEqual({
        kind: "currency-mismatch",
        orderId: order.id,
      })
      expect(await orderNow(backend(), order)).toEqual(before)
      expect(await record(paid)).toMatchObject({ kind: "applied" })
    })

    test.each(["aborted", "deadlinePassed"] as const)(
      "a payment after the order was cancelled (%s) is accepted and marked as late",
      async (event) => {
        const order = await placed(backend())
        const attempt = await opened(backend(), order)
        await backend().billing.applyOrderEvent(order.id, event, NOON + DAY)
        await record(paymentUpdate(attempt, "paid", 2_000), NOON + 2 * DAY)
        expect(await orderNow(backend(), order)).toMatchObject({ status: "paid" })
        expect(await backend().billing.service(order.serviceId)).toMatchObject({ status: "Pending" })
        expect((await timelineKinds(backend(), order)).slice(-2)).toEqual(["late", "paid"])
        expect(await jobs()).toHaveLength(1)
      },
    )

    test("a payment for a held order becomes credit, and the order stays held", async () => {
      const order = await placed(backend())
      const amount = money(2_000, "EUR")
      const attempt = await backend().payments.findOrCreateAttempt({
        orderId: order.id,
        gateway: "offshore",
        coin: null,
        amount,
        id: unique(),
        at: NOON,
      })
      await backend().billing.fraudOrder(order.id, "blocked country XK", NOON)
      expect(await record(paymentUpdate(attempt, "paid", 2_000))).toMatchObject({ kind: "applied" })
      expect(await backend().ledger(order.id)).toEqual({ received: [amount], credit: [amount] })
      expect((await timelineKinds(backend(), order)).at(-1)).toBe("credited")
      expect(await orderNow(backend(), order)).toMatchObject({ status: "fraud", received: amount })
      expect(await backend().billing.service(order.serviceId)).toMatchObject({ status: "Cancelled" })
      expect(await jobs()).toEqual([])
    })

    test("a payment concurrent with a cancellation still leads to one service", async () => {
      const order = await placed(backend())
      const paid = paymentUpdate(await opened(backend(), order), "paid", 2_000)
      await Promise.all([record(paid), backend().billing.applyOrderEvent(order.id, "aborted", NOON)])
      expect(await orderNow(backend(), order)).toMatchObject({ status: "paid" })
      expect(await backend().billing.service(order.serviceId)).toMatchObject({ status: "Pending" })
      expect(await jobs()).toHaveLength(1)
    })

    test("updates in any order and number keep the ledger balanced, the order paid and one service provisioned", () =>
      moneyAddsUp(backend()))
  })
}
