import { describe, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import {
  active,
  type BillingUnderTest,
  NOON,
  orderNow,
  placed,
  promotions,
  timelineKinds,
  together,
  unique,
} from "./billing-fixtures"

const fresh = { username: "TVZZZZZZZZ", password: "9999999999" }

/**
 * Tests calls that the billing API needs in addition: order lookup by other keys, termination and recreation of lines.
 */
export function endingsContract(backend: () => BillingUnderTest): void {
  describe("finding an order by its idempotency key or invoice", () => {
    test("finds an order by its idempotency key and by its invoice", async () => {
      const key = unique()
      const order = await placed(backend(), { key })
      expect(await backend().billing.orderByIdempotencyKey(key)).toEqual(order)
      expect(await backend().billing.orderByInvoice(order.invoiceId)).toEqual(order)
    })

    test.each(["orderByIdempotencyKey", "orderByInvoice"] as const)(
      "%s finds no order for an unknown value",
      async (look) => {
        await placed(backend())
        expect(await backend().billing[look]("none")).toBeNull()
      },
    )
  })

  test("a promo code counts its orders that are not cancelled", async () => {
    const { code } = promotions.five
    expect(await backend().billing.promotionUses(code)).toBe(0)
    const used = () => placed(backend(), { promoCode: code }, promotions.five)
    const [first] = [await used(), await used()]
    expect(await backend().billing.promotionUses(code.toLowerCase())).toBe(2)
    await backend().billing.applyOrderEvent(first.id, "aborted", NOON)
    expect(await backend().billing.promotionUses(code)).toBe(1)
    expect(await backend().billing.promotionUses("NONE")).toBe(0)
  })

  describe("a terminated line", () => {
    const state = async (id: string) => backend().billing.service(id)

    test("a terminated line is no longer listed, and its order is unchanged", async () => {
      const order = await active(backend())
      await together(3, () => backend().billing.markTerminated(order.serviceId, NOON))
      expect(await state(order.serviceId)).toMatchObject({ status: "Cancelled", host: null })
      expect((await orderNow(backend(), order)).status).toBe("active")
    })

    test("a terminated line is recreated once with new credentials", async () => {
      const order = await active(backend())
      for (const job of await backend().outbox.claim(NOON, HOUR, 9)) await backend().outbox.complete(job)
      await backend().billing.markTerminated(order.serviceId, NOON)
      const revived = await together(3, () =>
        backend().billing.reactivateService(order.serviceId, fresh, NOON),
      )
      expect(revived.filter(Boolean)).toHaveLength(1)
      expect(await state(order.serviceId)).toMatchObject({ ...fresh, status: "Pending" })
      expect(await backend().outbox.claim(NOON, HOUR, 9)).toMatchObject([{ subject: order.serviceId }])
      await backend().billing.activateService(order.serviceId, { host: "https://new.test" }, NOON)
      expect(await state(order.serviceId)).toMatchObject({ status: "Active", host: "https://new.test" })
      expect((await timelineKinds(backend(), order)).slice(-2)).toEqual(["recreated", "provisioned"])
    })

    test("a line that is pending or active is not listed as terminated", async () => {
      const waiting = await placed(backend())
      await backend().billing.markTerminated(waiting.serviceId, NOON)
      expect(await state(waiting.serviceId)).toMatchObject({ status: "Pending" })
      const works = await active(backend())
      for (const { serviceId } of [waiting, works]) {
        expect(await backend().billing.reactivateService(serviceId, fresh, NOON)).toBe(false)
      }
    })

    test("a terminated line that was never paid for is not recreated", async () => {
      const order = await placed(backend())
      await backend().billing.applyOrderEvent(order.id, "aborted", NOON)
      expect(await backend().billing.reactivateService(order.serviceId, fresh, NOON)).toBe(false)
      expect(await state(order.serviceId)).toMatchObject({ status: "Cancelled" })
    })
  })
}
