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

/** What callers of the API ask of the books besides: orders by other names, and lines that end and begin again. */
export function endingsContract(backend: () => BillingUnderTest): void {
  describe("an order by another name", () => {
    test("is found by its key and by its invoice", async () => {
      const key = unique()
      const order = await placed(backend(), { key })
      expect(await backend().billing.orderByIdempotencyKey(key)).toEqual(order)
      expect(await backend().billing.orderByInvoice(order.invoiceId)).toEqual(order)
    })

    test.each(["orderByIdempotencyKey", "orderByInvoice"] as const)(
      "that nobody has is none: %s",
      async (look) => {
        await placed(backend())
        expect(await backend().billing[look]("none")).toBeNull()
      },
    )
  })

  test("a code counts the orders that stand", async () => {
    const { code } = promotions.five
    expect(await backend().billing.promotionUses(code)).toBe(0)
    const used = () => placed(backend(), { promoCode: code }, promotions.five)
    const [first] = [await used(), await used()]
    expect(await backend().billing.promotionUses(code.toLowerCase())).toBe(2)
    await backend().billing.applyOrderEvent(first.id, "aborted", NOON)
    expect(await backend().billing.promotionUses(code)).toBe(1)
    expect(await backend().billing.promotionUses("NONE")).toBe(0)
  })

  describe("a line that has been ended", () => {
    const state = async (id: string) => backend().billing.service(id)

    test("is nowhere any more, and its order stays as it is", async () => {
      const order = await active(backend())
      await together(3, () => backend().billing.markTerminated(order.serviceId))
      expect(await state(order.serviceId)).toMatchObject({ status: "Cancelled", host: null })
      expect((await orderNow(backend(), order)).status).toBe("active")
    })

    test("is made anew under other credentials, once", async () => {
      const order = await active(backend())
      for (const job of await backend().outbox.claim(NOON, HOUR, 9)) await backend().outbox.complete(job)
      await backend().billing.markTerminated(order.serviceId)
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

    test("is none while it waits to be made, or works", async () => {
      const waiting = await placed(backend())
      await backend().billing.markTerminated(waiting.serviceId)
      expect(await state(waiting.serviceId)).toMatchObject({ status: "Pending" })
      const works = await active(backend())
      for (const { serviceId } of [waiting, works]) {
        expect(await backend().billing.reactivateService(serviceId, fresh, NOON)).toBe(false)
      }
    })

    test("and was never paid for is not made anew", async () => {
      const order = await placed(backend())
      await backend().billing.applyOrderEvent(order.id, "aborted", NOON)
      expect(await backend().billing.reactivateService(order.serviceId, fresh, NOON)).toBe(false)
      expect(await state(order.serviceId)).toMatchObject({ status: "Cancelled" })
    })
  })
}
