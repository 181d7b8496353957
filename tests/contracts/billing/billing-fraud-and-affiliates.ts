import { describe, expect, test } from "vitest"
import type { Orderer } from "~/billing/fraud-and-affiliates"
import type { NewOrder } from "~/billing/new-order"
import { HOUR, SECOND } from "~/domain/calendar"
import { ORDER_VELOCITY } from "~/domain/fraud"
import {
  type BillingUnderTest,
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  promotions,
  together,
} from "./billing-fixtures"

/** Addresses for examples are nobody's own and would not count; this one has not been given to anybody yet. */
const ADDRESS = "2d00::7"
const SHARED = "8.8.8.8"

/** Clicks on affiliates' links, and orders that look suspicious. */
export function fraudAndAffiliatesContract(backend: () => BillingUnderTest): void {
  const verdict = (changes: Partial<Orderer> = {}) =>
    backend().billing.checkFraud({
      ...{ address: ADDRESS, country: "ES", browser: null, customer: null, at: NOON },
      ...changes,
    })
  const leaveUnpaid = (times: number, changes: Partial<NewOrder> = {}) =>
    together(times, () => placed(backend(), { address: ADDRESS, ...changes }))
  const { max } = ORDER_VELOCITY
  const remainingUses = async (code: string) => (await backend().billing.promotion(code))?.remainingUses

  test("a click on an affiliate's link may be told as often as one likes", async () => {
    const click = { affiliateId: "12", visitor: "v", day: "2026-06-15", referer: null, at: NOON }
    const counted = await together(5, () => backend().billing.recordClick(click))
    expect(counted.filter(Boolean)).toHaveLength(1)
    await backend().billing.recordClick({
      ...click,
      day: "2026-06-16",
      referer: "https://blog.example.test/",
    })
  })

  describe("an order", () => {
    test.each([ADDRESS, "192.0.2.7", "::1", "not an address", null])(
      "may be placed from %s, against which there is nothing",
      async (address) => {
        expect(await verdict({ address })).toEqual({ valid: true })
      },
    )

    test("is suspicious from an IPv6 network of which any addresses have left ten unpaid within an hour", async () => {
      for (let host = 1; host < max.network; host++) await leaveUnpaid(1, { address: `2d00::${host}` })
      expect(await verdict()).toEqual({ valid: true })
      await leaveUnpaid(1, { address: "2d00::ffff:ffff" })
      const reason = "10 unpaid orders within an hour from one network"
      expect(await verdict()).toEqual({ valid: false, reason })
      expect(await verdict({ address: "2d00::1:2:3:4" })).toEqual({ valid: false, reason })
      expect(await verdict({ address: "2d00:0:0:1::7" })).toEqual({ valid: true })
    })

    test("is not suspicious behind an IPv4 address where one stranger has left ten unpaid, but after sixty", async () => {
      await leaveUnpaid(max.browser, { address: SHARED, browser: "stranger" })
      expect(await verdict({ address: SHARED, browser: "neighbour" })).toEqual({ valid: true })
      const reason = "10 unpaid orders within an hour from one browser"
      expect(await verdict({ address: SHARED, browser: "stranger" })).toEqual({ valid: false, reason })
      expect(await verdict({ address: "8.8.4.4", browser: "stranger" })).toEqual({ valid: false, reason })
      await leaveUnpaid(max.sharedAddress - max.browser, { address: SHARED })
      expect(await verdict({ address: SHARED, browser: "neighbour" })).toMatchObject({ valid: false })
    })

    test("is suspicious under an e-mail that has left ten unpaid from there, and not from elsewhere", async () => {
      const { customerId } = await placed(backend(), { address: SHARED })
      const customer = { id: customerId, authenticatedAccount: false }
      await leaveUnpaid(max.email - 1, { address: SHARED, customerId })
      const reason = "10 unpaid orders within an hour under one e-mail"
      expect(await verdict({ address: SHARED, customer })).toEqual({ valid: false, reason })
      expect(await verdict({ address: "8.8.4.4", customer })).toEqual({ valid: true })
    })

    test("of a customer who has paid before is suspicious until he has proven the account", async () => {
      const order = await placed(backend())
      const { customerId } = order
      const customer = { id: customerId, authenticatedAccount: true }
      await placed(backend(), { customerId }, promotions.free)
      await leaveUnpaid(max.network)
      expect(await verdict({ customer })).toMatchObject({ valid: false })
      await backend().payments.recordPaymentUpdate(
        "offshore",
        paymentUpdate(await opened(backend(), order), "paid", 2_000),
        NOON,
      )
      expect(await verdict({ customer })).toEqual({ valid: true })
      expect(await verdict({ customer: { ...customer, authenticatedAccount: false } })).toMatchObject({
        valid: false,
      })
    })

    test("is no longer suspicious when the hour is over", async () => {
      await leaveUnpaid(max.network)
      expect(await verdict({ at: NOON + HOUR - 1 })).toMatchObject({ valid: false })
      expect(await verdict({ at: NOON + HOUR })).toEqual({ valid: true })
    })

    test("is not made suspicious by orders that have been paid", async () => {
      await leaveUnpaid(max.network - 1)
      await together(3, () => placed(backend(), { address: ADDRESS }, promotions.free))
      expect(await verdict()).toEqual({ valid: true })
    })

    test("stays suspicious when the others are given up instead of left", async () => {
      const [first] = await leaveUnpaid(max.network)
      await backend().billing.applyOrderEvent(first?.id ?? "", "aborted", NOON)
      expect(await verdict()).toMatchObject({ valid: false })
    })

    test.each(["10.0.0.7", "127.0.0.1", "fd00::7"])(
      "is not made suspicious by others behind %s, which many share",
      async (address) => {
        await leaveUnpaid(max.network, { address })
        expect(await verdict({ address })).toEqual({ valid: true })
      },
    )
  })

  describe("a suspicious order", () => {
    test("is held: it asks for no money, sets up no service and gives its code back, once", async () => {
      const order = await placed(backend(), {}, promotions.five)
      await together(3, () => backend().billing.fraudOrder(order.id, "blocked country XK", NOON + SECOND))
      expect(await orderNow(backend(), order)).toMatchObject({ status: "fraud" })
      expect(await backend().billing.service(order.serviceId)).toMatchObject({ status: "Cancelled" })
      expect(await remainingUses("FIVE")).toBe(5)
    })

    test("tells the operator why, in its timeline", async () => {
      const order = await placed(backend())
      await backend().billing.fraudOrder(order.id, "blocked country XK", NOON + SECOND)
      expect(await backend().billing.timeline(order.id)).toMatchObject([
        { kind: "placed" },
        { kind: "flagged", at: NOON + SECOND, amount: null, reference: "blocked country XK" },
      ])
    })

    test("that has been paid is not held", async () => {
      const order = await placed(backend(), {}, promotions.five)
      await backend().payments.recordPaymentUpdate(
        "offshore",
        paymentUpdate(await opened(backend(), order, 1_000), "paid", 1_000),
        NOON,
      )
      await backend().billing.fraudOrder(order.id, "blocked country XK", NOON)
      expect(await orderNow(backend(), order)).toMatchObject({ status: "paid" })
      expect(await remainingUses("FIVE")).toBe(4)
    })
  })
}
