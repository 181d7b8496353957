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
export function endingsContract(books: () => BillingUnderTest): void {
  describe("an order by another name", () => {
    test("is found by its key and by its invoice", async () => {
      const key = unique()
      const order = await placed(books(), { key })
      expect(await books().billing.orderByIdempotencyKey(key)).toEqual(order)
      expect(await books().billing.orderByInvoice(order.invoiceId)).toEqual(order)
    })

    test.each(["orderByIdempotencyKey", "orderByInvoice"] as const)(
      "that nobody has is none: %s",
      async (look) => {
        await placed(books())
        expect(await books().billing[look]("none")).toBeNull()
      },
    )
  })

  test("a code counts the orders that stand", async () => {
    const { code } = promotions.five
    expect(await books().billing.promotionUses(code)).toBe(0)
    const used = () => placed(books(), { promoCode: code }, promotions.five)
    const [first] = [await used(), await used()]
    expect(await books().billing.promotionUses(code.toLowerCase())).toBe(2)
    await books().billing.applyOrderEvent(first.id, "aborted", NOON)
    expect(await books().billing.promotionUses(code)).toBe(1)
    expect(await books().billing.promotionUses("NONE")).toBe(0)
  })

  describe("a line that has been ended", () => {
    const state = async (id: string) => books().billing.service(id)

    test("is nowhere any more, and its order stays as it is", async () => {
      const order = await active(books())
      await together(3, () => books().billing.markTerminated(order.serviceId))
      expect(await state(order.serviceId)).toMatchObject({ status: "Cancelled", host: null })
      expect((await orderNow(books(), order)).status).toBe("active")
    })

    test("is made anew under other credentials, once", async () => {
      const order = await active(books())
      for (const job of await books().outbox.claim(NOON, HOUR, 9)) await books().outbox.complete(job)
      await books().billing.markTerminated(order.serviceId)
      const revived = await together(3, () => books().billing.reactivateService(order.serviceId, fresh, NOON))
      expect(revived.filter(Boolean)).toHaveLength(1)
      expect(await state(order.serviceId)).toMatchObject({ ...fresh, status: "Pending" })
      expect(await books().outbox.claim(NOON, HOUR, 9)).toMatchObject([{ subject: order.serviceId }])
      await books().billing.activateService(order.serviceId, { host: "https://new.test" }, NOON)
      expect(await state(order.serviceId)).toMatchObject({ status: "Active", host: "https://new.test" })
      expect((await timelineKinds(books(), order)).slice(-2)).toEqual(["recreated", "provisioned"])
    })

    test("is none while it waits to be made, or works", async () => {
      const waiting = await placed(books())
      await books().billing.markTerminated(waiting.serviceId)
      expect(await state(waiting.serviceId)).toMatchObject({ status: "Pending" })
      const works = await active(books())
      for (const { serviceId } of [waiting, works]) {
        expect(await books().billing.reactivateService(serviceId, fresh, NOON)).toBe(false)
      }
    })

    test("and was never paid for is not made anew", async () => {
      const order = await placed(books())
      await books().billing.applyOrderEvent(order.id, "aborted", NOON)
      expect(await books().billing.reactivateService(order.serviceId, fresh, NOON)).toBe(false)
      expect(await state(order.serviceId)).toMatchObject({ status: "Cancelled" })
    })
  })
}
