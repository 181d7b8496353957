import { describe, expect, test } from "vitest"
import { MAX_ATTEMPTS, TooManyAttempts } from "~/billing/payments/payment-repository"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { LATE_PAYMENT_GRACE } from "~/domain/orders/order"
import {
  type BillingUnderTest,
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  promotions,
  timelineKinds,
  together,
  unique,
} from "./billing-fixtures"

/** Tests payment attempts before any money is received. */
export function paymentsContract(backend: () => BillingUnderTest): void {
  const attempt = (orderId: string, minor: number, at = NOON) =>
    backend().payments.findOrCreateAttempt({
      orderId,
      gateway: "offshore",
      coin: null,
      amount: money(minor, "EUR"),
      id: unique(),
      at,
    })

  describe("payment attempt", () => {
    test("a payment attempt is pending and has no URL until the gateway opens it", async () => {
      const order = await placed(backend())
      expect(await attempt(order.id, 2_000)).toMatchObject({
        orderId: order.id,
        gateway: "offshore",
        coin: null,
        amount: money(2_000, "EUR"),
        status: "pending",
        paymentId: null,
        url: null,
        openedAt: NOON,
        polledAt: NOON,
      })
    })

    test("repeated and concurrent requests for the same attempt return one", async () => {
      const order = await placed(backend())
      const attempts = await together(10, () => attempt(order.id, 2_000))
      expect(new Set(attempts.map(({ id }) => id)).size).toBe(1)
    })

    test("a request with another amount creates another attempt, which is the latest", async () => {
      const order = await placed(backend())
      const first = await attempt(order.id, 2_000)
      const second = await attempt(order.id, 500, NOON + MINUTE)
      expect(second.id).not.toBe(first.id)
      expect(await backend().payments.latestAttempt(order.id)).toEqual(second)
    })

    test("an attempt that is not opened does not hide the opened one before it", async () => {
      const order = await placed(backend())
      const first = await attempt(order.id, 2_000)
      const payment = { paymentId: unique(), url: "https://pay.test/" }
      await backend().payments.markAttemptOpened(first.id, payment, NOON)
      await attempt(order.id, 500, NOON + MINUTE)
      expect(await backend().payments.latestAttempt(order.id)).toMatchObject({ id: first.id })
      expect((await backend().payments.paymentState(order.id))?.attempt).toMatchObject({ id: first.id })
    })

    test("a failed attempt is followed by a new one", async () => {
      const order = await placed(backend())
      const first = await opened(backend(), order)
      await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(first, "failed", 0), NOON)
      expect((await attempt(order.id, 2_000)).id).not.toBe(first.id)
    })

    test("a partly paid attempt takes the rest where the gateway accepts top-ups, otherwise a new attempt is created", async () => {
      const order = await placed(backend())
      const first = await opened(backend(), order)
      await backend().payments.recordPaymentUpdate(
        "offshore",
        paymentUpdate(first, "partially-paid", 1_600),
        NOON,
      )
      const rest = { orderId: order.id, gateway: "offshore", coin: null, amount: money(400, "EUR") } as const
      const request = { ...rest, at: NOON }
      const toppedUp = await backend().payments.findOrCreateAttempt({
        ...request,
        takesTopUps: true,
        id: unique(),
      })
      expect(toppedUp).toMatchObject({ id: first.id, received: money(1_600, "EUR") })
      const another = await backend().payments.findOrCreateAttempt({
        ...request,
        takesTopUps: false,
        id: unique(),
      })
      expect(another).toMatchObject({ amount: money(400, "EUR"), received: money(0, "EUR"), url: null })
      expect(another.id).not.toBe(first.id)
    })

    test("a partly paid attempt takes no money after the provider has ended it", async () => {
      const order = await placed(backend())
      const first = await opened(backend(), order)
      const update = { ...paymentUpdate(first, "partially-paid", 1_600), ended: true }
      await backend().payments.recordPaymentUpdate("offshore", update, NOON)
      expect(await backend().payments.latestAttempt(order.id)).toMatchObject({ id: first.id, endsAt: NOON })
      const request = {
        orderId: order.id,
        gateway: "offshore",
        coin: null,
        amount: money(400, "EUR"),
      } as const
      const next = await backend().payments.findOrCreateAttempt({
        ...request,
        takesTopUps: true,
        id: unique(),
        at: NOON,
      })
      expect(next.id).not.toBe(first.id)
      // The attempt stays open for polling, so that a payment made there is found.
      expect((await backend().payments.openAttempts(order.id)).map(({ id }) => id)).toEqual([first.id])
    })

    test("an expired attempt is replaced by one new attempt over the same amount, also by ten concurrent requests", async () => {
      const order = await placed(backend())
      const first = await attempt(order.id, 2_000)
      const payment = { paymentId: "p", url: "https://pay.test/", endsAt: NOON + MINUTE }
      await backend().payments.markAttemptOpened(first.id, payment, NOON)
      expect((await attempt(order.id, 2_000)).id).toBe(first.id)
      const later = await together(10, () => attempt(order.id, 2_000, NOON + MINUTE))
      expect(new Set(later.map(({ id }) => id)).size).toBe(1)
      expect(later[0]?.id).not.toBe(first.id)
    })

    test("the number of attempts per order is limited", async () => {
      const order = await placed(backend())
      for (let nth = 1; nth <= MAX_ATTEMPTS; nth++) await attempt(order.id, nth)
      await expect(attempt(order.id, 2_000)).rejects.toThrow(TooManyAttempts)
      expect((await attempt(order.id, 1)).amount).toEqual(money(1, "EUR"))
    })

    test("an attempt is rejected for an unknown order and one that takes no payment", async () => {
      const free = await placed(backend(), {}, promotions.free)
      await expect(attempt("none", 2_000)).rejects.toMatchObject({ name: "BillingError", kind: "refused" })
      await expect(attempt(free.id, 2_000)).rejects.toMatchObject({ kind: "refused" })
      await expect(attempt((await placed(backend())).id, 0)).rejects.toMatchObject({ kind: "refused" })
    })

    test("returns no attempt for an unknown id", async () => {
      expect(await backend().payments.latestAttempt((await placed(backend())).id)).toBeNull()
    })
  })

  describe("opening a payment at the gateway", () => {
    test("an opened payment hands the order off and returns the payment URL", async () => {
      const order = await placed(backend())
      const { id } = await opened(backend(), order)
      expect(await backend().payments.latestAttempt(order.id)).toMatchObject({
        id,
        paymentId: `p-${id}`,
        url: "https://pay.test/",
      })
      expect(await orderNow(backend(), order)).toMatchObject({ status: "awaiting-payment" })
      expect((await backend().billing.timeline(order.id)).at(-1)).toEqual({
        kind: "handed-off",
        at: NOON,
        amount: null,
        reference: "offshore",
      })
    })

    test("opening a payment twice keeps the first URL", async () => {
      const order = await placed(backend())
      const { id } = await opened(backend(), order)
      await backend().payments.markAttemptOpened(id, { paymentId: "other", url: "https://other.test/" }, NOON)
      expect(await backend().payments.latestAttempt(order.id)).toMatchObject({ url: "https://pay.test/" })
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "handed-off"])
    })
  })

  test("rejected callbacks are counted by day and reason, also concurrently", async () => {
    await together(5, () =>
      backend().payments.recordRejectedCallback("offshore", "no signature", "2026-06-15"),
    )
    await backend().payments.recordRejectedCallback("offshore", "too old", "2026-06-15")
    await expect(
      backend().payments.recordRejectedCallback("btcpay", "no signature", "2026-06-15"),
    ).resolves.toBeUndefined()
  })

  describe("polling a gateway", () => {
    test("polling lists opened, pending attempts, longest unpolled first", async () => {
      const [recent, old, paid] = [await placed(backend()), await placed(backend()), await placed(backend())]
      const first = await opened(backend(), recent)
      const second = await opened(backend(), old)
      await backend().payments.recordPaymentUpdate(
        "offshore",
        paymentUpdate(await opened(backend(), paid), "paid", 2_000),
        NOON,
      )
      await attempt((await placed(backend())).id, 2_000)
      await backend().payments.claimPoll(first, NOON + 1, NOON + MINUTE)

      const dueForPolling = await backend().payments.attemptsDueForPolling("offshore", NOON + HOUR, 10)
      expect(dueForPolling.map(({ id }) => id)).toEqual([second.id, first.id])
      expect(await backend().payments.attemptsDueForPolling("offshore", NOON, 10)).toEqual([])
      expect(await backend().payments.attemptsDueForPolling("coinbase", NOON + HOUR, 10)).toEqual([])
    })

    test("polling lists failed and expired attempts after the others, until no late payment is accepted", async () => {
      const attempts = await Promise.all(
        (["failed", "expired", "pending"] as const).map(async (status) => {
          const it = await opened(backend(), await placed(backend()))
          await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(it, status, 0), NOON)
          return it
        }),
      )
      const [failed, expired, pending] = attempts.map(({ id }) => id)
      const due = async (at: number, limit = 10) =>
        (await backend().payments.attemptsDueForPolling("offshore", at, limit)).map(({ id }) => id)
      const listed = await due(NOON + HOUR)
      expect(listed[0]).toBe(pending)
      expect(new Set(listed.slice(1))).toEqual(new Set([failed, expired]))
      expect(await due(NOON + HOUR, 1)).toEqual([pending])
      expect(await due(NOON + DAY + LATE_PAYMENT_GRACE - 1)).toHaveLength(3)
      expect(await due(NOON + DAY + LATE_PAYMENT_GRACE)).toEqual([])
    })

    test("a poll is claimed by one of ten concurrent workers", async () => {
      const attempt = await opened(backend(), await placed(backend()))
      const rounds = await together(10, () =>
        backend().payments.claimPoll(attempt, NOON + MINUTE, NOON + HOUR),
      )
      expect(rounds.filter(Boolean)).toHaveLength(1)
    })

    test("a poll time set by a wrong clock does not delay polling", async () => {
      const attempt = await opened(backend(), await placed(backend()))
      await backend().payments.claimPoll(attempt, NOON + HOUR, NOON + HOUR)
      expect(await backend().payments.claimPoll(attempt, NOON, NOON)).toBe(true)
      expect(await backend().payments.claimPoll(attempt, NOON, NOON)).toBe(false)
    })
  })
}
