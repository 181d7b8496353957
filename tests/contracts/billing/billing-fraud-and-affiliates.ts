import { describe, expect, test } from "vitest"
import type { Orderer } from "~/billing/fraud-and-affiliates"
import type { NewOrder } from "~/billing/orders/new-order"
import { HOUR, SECOND } from "~/domain/calendar"
import { ORDER_VELOCITY } from "~/domain/orders/fraud"
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

/** The fraud check ignores documentation addresses (RFC 3849), so this one is from an unassigned range. */
const ADDRESS = "2d00::7"
const SHARED = "8.8.8.8"

/** Tests affiliate clicks and the fraud check of orders. */
export function fraudAndAffiliatesContract(backend: () => BillingUnderTest): void {
  const verdict = (changes: Partial<Orderer> = {}) =>
    backend().billing.checkFraud({
      address: ADDRESS,
      country: "ES",
      browser: null,
      customer: null,
      at: NOON,
      ...changes,
    })
  const leaveUnpaid = (times: number, changes: Partial<NewOrder> = {}) =>
    together(times, () => placed(backend(), { address: ADDRESS, ...changes }))
  const { max } = ORDER_VELOCITY
  const remainingUses = async (code: string) => (await backend().billing.promotion(code))?.remainingUses

  test("an affiliate click can be recorded repeatedly", async () => {
    const click = { affiliateId: "12", visitor: "v", day: "2026-06-15", referer: null, at: NOON }
    const counted = await together(5, () => backend().billing.recordClick(click))
    expect(counted.filter(Boolean)).toHaveLength(1)
    await backend().billing.recordClick({
      ...click,
      day: "2026-06-16",
      referer: "https://blog.example.test/",
    })
  })

  test("a device that nobody has blocked is not blocked", async () => {
    expect(await backend().billing.isDeviceBlocked("00:1A:79:12:34:56")).toBe(false)
  })

  describe("an order", () => {
    test.each([ADDRESS, "192.0.2.7", "::1", "not an address", null])(
      "an order from %s passes the fraud check without previous unpaid orders",
      async (address) => {
        expect(await verdict({ address })).toEqual({ valid: true })
      },
    )

    test("an order is suspicious after ten unpaid orders within an hour from its IPv6 network (/64)", async () => {
      for (let host = 1; host < max.network; host++) await leaveUnpaid(1, { address: `2d00::${host}` })
      expect(await verdict()).toEqual({ valid: true })
      await leaveUnpaid(1, { address: "2d00::ffff:ffff" })
      const reason = "10 unpaid orders within an hour from one network"
      expect(await verdict()).toEqual({ valid: false, reason })
      expect(await verdict({ address: "2d00::1:2:3:4" })).toEqual({ valid: false, reason })
      expect(await verdict({ address: "2d00:0:0:1::7" })).toEqual({ valid: true })
    })

    test("an order from an IPv4 address is suspicious after sixty unpaid orders of other customers, not after ten", async () => {
      await leaveUnpaid(max.browser, { address: SHARED, browser: "stranger" })
      expect(await verdict({ address: SHARED, browser: "other" })).toEqual({ valid: true })
      const reason = "10 unpaid orders within an hour from one browser"
      expect(await verdict({ address: SHARED, browser: "stranger" })).toEqual({ valid: false, reason })
      expect(await verdict({ address: "8.8.4.4", browser: "stranger" })).toEqual({ valid: false, reason })
      await leaveUnpaid(max.sharedAddress - max.browser, { address: SHARED })
      expect(await verdict({ address: SHARED, browser: "other" })).toMatchObject({ valid: false })
    })

    test("an order is suspicious after ten unpaid orders of its email address from the same address only", async () => {
      const { customerId } = await placed(backend(), { address: SHARED })
      const customer = { id: customerId, authenticatedAccount: false }
      await leaveUnpaid(max.email - 1, { address: SHARED, customerId })
      const reason = "10 unpaid orders within an hour under one e-mail"
      expect(await verdict({ address: SHARED, customer })).toEqual({ valid: false, reason })
      expect(await verdict({ address: "8.8.4.4", customer })).toEqual({ valid: true })
    })

    test("an order of a paying customer is suspicious until the customer has signed in", async () => {
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

    test("an order is no longer suspicious after an hour", async () => {
      await leaveUnpaid(max.network)
      expect(await verdict({ at: NOON + HOUR - 1 })).toMatchObject({ valid: false })
      expect(await verdict({ at: NOON + HOUR })).toEqual({ valid: true })
    })

    test("paid orders do not make an order suspicious", async () => {
      await leaveUnpaid(max.network - 1)
      await together(3, () => placed(backend(), { address: ADDRESS }, promotions.free))
      expect(await verdict()).toEqual({ valid: true })
    })

    test("an order stays suspicious when the unpaid ones are cancelled", async () => {
      const [first] = await leaveUnpaid(max.network)
      await backend().billing.applyOrderEvent(first?.id ?? "", "aborted", NOON)
      expect(await verdict()).toMatchObject({ valid: false })
    })

    test.each(["10.0.0.7", "127.0.0.1", "fd00::7"])(
      "unpaid orders from the shared address %s do not make an order suspicious",
      async (address) => {
        await leaveUnpaid(max.network, { address })
        expect(await verdict({ address })).toEqual({ valid: true })
      },
    )
  })

  describe("a suspicious order", () => {
    test("a suspicious order is held: takes no payment, provisions nothing and releases its promo code once", async () => {
      const order = await placed(backend(), {}, promotions.five)
      await together(3, () => backend().billing.fraudOrder(order.id, "blocked country XK", NOON + SECOND))
      expect(await orderNow(backend(), order)).toMatchObject({ status: "fraud" })
      expect(await backend().billing.service(order.serviceId)).toMatchObject({ status: "Cancelled" })
      expect(await remainingUses("FIVE")).toBe(5)
    })

    test("a suspicious order records the reason in its timeline", async () => {
      const order = await placed(backend())
      await backend().billing.fraudOrder(order.id, "blocked country XK", NOON + SECOND)
      expect(await backend().billing.timeline(order.id)).toMatchObject([
        { kind: "placed" },
        { kind: "flagged", at: NOON + SECOND, amount: null, reference: "blocked country XK" },
      ])
    })

    test("a paid order is not held", async () => {
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
