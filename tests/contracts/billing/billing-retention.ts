import { describe, expect, test } from "vitest"
import { DAY, HOUR } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import {
  type BillingUnderTest,
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  promotions,
} from "./billing-fixtures"

const LATER = NOON + 90 * DAY

/** Tests the erasure of customers without purchases. */
export function retentionContract(backend: () => BillingUnderTest): void {
  const forget = (before = LATER, limit = 10) => backend().billing.eraseInactiveCustomers(before, limit)
  const lapsed = async (): Promise<Order> => {
    const order = await placed(backend())
    await backend().billing.applyOrderEvent(order.id, "deadlinePassed", NOON + DAY)
    return order
  }

  describe("customers without purchases", () => {
    test("inactive customers are erased once, and their orders stay", async () => {
      const order = await lapsed()
      expect(await forget()).toBe(1)
      expect(await forget()).toBe(0)
      expect(await orderNow(backend(), order)).toMatchObject({ status: "expired", total: { minor: 2_000 } })
    })

    test("inactive customers are erased in batches", async () => {
      await Promise.all([lapsed(), lapsed(), lapsed()])
      expect([await forget(LATER, 2), await forget(LATER, 2), await forget(LATER, 2)]).toEqual([2, 1, 0])
    })

    test("inactive customers are not erased before the retention period ends", async () => {
      await lapsed()
      expect(await forget(NOON - 1)).toBe(0)
    })

    test("an erased customer who returns is a new customer", async () => {
      const visitor = { locale: "en-en", currency: "EUR", country: "MA", address: null } as const
      const ana = { ...visitor, email: "o'ana@example.test" }
      await backend().billing.identify({ ...ana, at: NOON })
      expect(await forget()).toBe(1)
      const { customerId } = await backend().billing.identify({ ...ana, at: LATER })
      expect((await placed(backend(), { customerId, at: LATER + HOUR })).status).toBe("placed")
      expect(await backend().billing.customerOf("o'ana@example.test")).toMatchObject({ email: ana.email })
    })
  })

  type RetentionCase = [string, () => Promise<unknown>]
  const remaining: RetentionCase[] = [
    ["has an order open", () => placed(backend())],
    ["has ordered since", () => placed(backend(), { at: LATER + 1 })],
    ["has bought something", () => placed(backend(), {}, promotions.free)],
    [
      "has paid a part",
      async () => {
        const order = await placed(backend())
        await backend().payments.recordPaymentUpdate(
          "offshore",
          paymentUpdate(await opened(backend(), order), "partially-paid", 500),
          NOON,
        )
        await backend().billing.applyOrderEvent(order.id, "aborted", NOON)
      },
    ],
    [
      "has paid an order that had come to nothing",
      async () => {
        const order = await placed(backend())
        const attempt = await opened(backend(), order)
        await backend().billing.fraudOrder(order.id, "a bot", NOON)
        await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
      },
    ],
  ]
  test.each(remaining)("a customer who %s is not erased", async (_, happen) => {
    await happen()
    expect(await forget()).toBe(0)
  })
}
