import { describe, expect, test } from "vitest"
import { HOUR, SECOND } from "~/domain/calendar"
import { ORDER_VELOCITY } from "~/domain/fraud"
import {
  type BooksUnderTest,
  NOON,
  news,
  opened,
  orderNow,
  placed,
  promotions,
  together,
} from "./billing-fixtures"

/** Addresses for examples are nobody's own and would not count; this one has not been given to anybody yet. */
const ADDRESS = "2d00::7"

/** Clicks on affiliates' links, and orders that look suspicious. */
export function visitsContract(books: () => BooksUnderTest): void {
  const verdict = (address: string | null, at = NOON) =>
    books().billing.checkFraud({ address, country: "ES", at })
  const leaveUnpaid = (times: number, address = ADDRESS) =>
    together(times, () => placed(books(), { address }))
  const usesLeft = async (code: string) => (await books().billing.promotion(code))?.usesLeft

  test("a click on an affiliate's link may be told as often as one likes", async () => {
    const click = { affiliateId: "12", visitor: "v", day: "2026-06-15", referer: null, at: NOON }
    const counted = await together(5, () => books().billing.recordClick(click))
    expect(counted.filter(Boolean)).toHaveLength(1)
    await books().billing.recordClick({ ...click, day: "2026-06-16", referer: "https://blog.example.test/" })
  })

  describe("an order", () => {
    test.each([ADDRESS, "192.0.2.7", "::1", "not an address", null])(
      "may be placed from %s, against which there is nothing",
      async (address) => {
        expect(await verdict(address)).toEqual({ valid: true })
      },
    )

    test("is suspicious from an address that has left ten unpaid within an hour", async () => {
      await leaveUnpaid(ORDER_VELOCITY.most - 1)
      expect(await verdict(ADDRESS)).toEqual({ valid: true })
      await leaveUnpaid(1)
      expect(await verdict(ADDRESS)).toEqual({ valid: false, reason: "10 unpaid orders within an hour" })
      expect(await verdict("2d00::8")).toEqual({ valid: true })
    })

    test("is no longer suspicious when the hour is over", async () => {
      await leaveUnpaid(ORDER_VELOCITY.most)
      expect(await verdict(ADDRESS, NOON + HOUR - 1)).toMatchObject({ valid: false })
      expect(await verdict(ADDRESS, NOON + HOUR)).toEqual({ valid: true })
    })

    test("is not made suspicious by orders that have been paid", async () => {
      await leaveUnpaid(ORDER_VELOCITY.most - 1)
      await together(3, () => placed(books(), { address: ADDRESS }, promotions.free))
      expect(await verdict(ADDRESS)).toEqual({ valid: true })
    })

    test("stays suspicious when the others are given up instead of left", async () => {
      const [first] = await leaveUnpaid(ORDER_VELOCITY.most)
      await books().billing.moveOrder(first?.id ?? "", "aborted", NOON)
      expect(await verdict(ADDRESS)).toMatchObject({ valid: false })
    })

    test.each(["10.0.0.7", "127.0.0.1", "fd00::7"])(
      "is not made suspicious by others behind %s, which many share",
      async (address) => {
        await leaveUnpaid(ORDER_VELOCITY.most, address)
        expect(await verdict(address)).toEqual({ valid: true })
      },
    )
  })

  describe("a suspicious order", () => {
    test("is held: it asks for no money, sets up no service and gives its code back, once", async () => {
      const order = await placed(books(), {}, promotions.five)
      await together(3, () => books().billing.fraudOrder(order.id, "blocked country XK", NOON + SECOND))
      expect(await orderNow(books(), order)).toMatchObject({ status: "fraud" })
      expect(await books().billing.service(order.serviceId)).toMatchObject({ status: "Cancelled" })
      expect(await usesLeft("FIVE")).toBe(5)
    })

    test("tells the operator why, in its timeline", async () => {
      const order = await placed(books())
      await books().billing.fraudOrder(order.id, "blocked country XK", NOON + SECOND)
      expect(await books().billing.timeline(order.id)).toMatchObject([
        { kind: "placed" },
        { kind: "flagged", at: NOON + SECOND, amount: null, reference: "blocked country XK" },
      ])
    })

    test("that has been paid is not held", async () => {
      const order = await placed(books(), {}, promotions.five)
      await books().till.record("offshore", news(await opened(books(), order, 1_000), "paid", 1_000), NOON)
      await books().billing.fraudOrder(order.id, "blocked country XK", NOON)
      expect(await orderNow(books(), order)).toMatchObject({ status: "paid" })
      expect(await usesLeft("FIVE")).toBe(4)
    })
  })
}
