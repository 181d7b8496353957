import fc from "fast-check"
import { expect, test } from "vitest"
import { dayIn } from "../calendar"
import { money } from "../money/money"
import { checkPromotion, type Discount, discountOn, type Promotion, promotionState } from "./promotion"

const summer: Promotion = {
  code: "SUMMER",
  productIds: ["3", "4"],
  startsOn: null,
  endsOn: null,
  discount: { kind: "percentage", basisPoints: 1_500 },
  remainingUses: null,
}
const order = {
  productId: "3",
  cycle: "monthly",
  currency: "EUR",
  today: "2026-11-20",
  usesBefore: 2,
} as const

test("a promotion without dates and limits is valid for a product it lists", () => {
  expect(checkPromotion(summer, order)).toEqual({ ok: true, promotion: summer })
})

test.each<[string, Promotion | null, string]>([
  ["an unknown code", null, "unknown"],
  ["a code for other products", { ...summer, productIds: ["9", "33"] }, "not-for-this-product"],
  ["a code that lists no product", { ...summer, productIds: [] }, "not-for-this-product"],
  ["a code that starts tomorrow", { ...summer, startsOn: "2026-11-21" }, "not-started"],
  ["a code that ended yesterday", { ...summer, endsOn: "2026-11-19" }, "ended"],
  ["a code without remaining uses", { ...summer, remainingUses: 0 }, "used-up"],
  ["a code for other billing cycles", { ...summer, cycles: ["annually"] }, "not-for-this-product"],
  ["a code that is switched off", { ...summer, isOff: true }, "ended"],
  [
    "a code that the customer has used as often as one person may",
    { ...summer, usesPerPerson: 2 },
    "used-by-person",
  ],
  [
    "a fixed discount in another currency",
    { ...summer, discount: { kind: "fixed", amount: money(1, "GBP") } },
    "wrong-currency",
  ],
])("rejects %s with the matching reason", (_, promotion, reason) => {
  expect(checkPromotion(promotion, order)).toEqual({ ok: false, reason })
})

test.each<[string, Promotion]>([
  ["with one remaining use", { ...summer, remainingUses: 1 }],
  ["for its billing cycles", { ...summer, cycles: ["monthly", "annually"] }],
  ["that the customer may use once more", { ...summer, usesPerPerson: 3 }],
  [
    "with a fixed discount in the order's currency",
    { ...summer, discount: { kind: "fixed", amount: money(1, "EUR") } },
  ],
])("accepts a code %s", (_, promotion) => {
  expect(checkPromotion(promotion, order)).toEqual({ ok: true, promotion })
})

test("a code whose customer and billing cycle are not known yet is judged by the rest", () => {
  const { usesBefore: _, cycle: __, ...unknown } = order
  const promotion: Promotion = { ...summer, cycles: ["annually"], usesPerPerson: 1 }
  expect(checkPromotion(promotion, unknown)).toEqual({ ok: true, promotion })
})

test.each<[string, Partial<Promotion>]>([
  ["on", { startsOn: "2026-11-20", endsOn: "2026-11-20", remainingUses: 1 }],
  ["off", { isOff: true, remainingUses: 0 }],
  ["planned", { startsOn: "2026-11-21" }],
  ["ended", { endsOn: "2026-11-19", remainingUses: 0 }],
  ["used-up", { remainingUses: 0, productIds: [] }],
  ["without-products", { productIds: [], startsOn: "2026-11-21" }],
])("an operator sees that a promotion is %s", (state, changes) => {
  expect(promotionState({ ...summer, ...changes }, "2026-11-20")).toBe(state)
})

test("reports the wrong product before any other reason", () => {
  const hopeless = { ...summer, productIds: [], endsOn: "2020-01-01", remainingUses: 0 }
  expect(checkPromotion(hopeless, order)).toEqual({ ok: false, reason: "not-for-this-product" })
})

test("a code is valid from the start of its first day to the end of its last, in the shop's time zone", () => {
  const promotion = { ...summer, startsOn: "2026-11-20", endsOn: "2026-11-20" }
  const verdictAt = (instant: string) =>
    checkPromotion(promotion, { ...order, today: dayIn("Europe/Madrid", Date.parse(instant)) })
  expect(verdictAt("2026-11-19T22:59:59Z")).toEqual({ ok: false, reason: "not-started" })
  expect(verdictAt("2026-11-19T23:00:00Z")).toMatchObject({ ok: true })
  expect(verdictAt("2026-11-20T22:59:59Z")).toMatchObject({ ok: true })
  expect(verdictAt("2026-11-20T23:00:00Z")).toEqual({ ok: false, reason: "ended" })
})

test("a customer gets as many orders with a code as one person may have, one after the other", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 40 }), (limit, tries) => {
      const promotion: Promotion = { ...summer, usesPerPerson: limit }
      let uses = 0
      for (let nth = 0; nth < tries; nth++)
        if (checkPromotion(promotion, { ...order, usesBefore: uses }).ok) uses += 1
      expect(uses).toBe(Math.min(limit, tries))
    }),
  )
})

const price = fc.integer({ min: 0, max: 100_000_000 }).map((minor) => money(minor, "EUR"))
const discount = fc.oneof(
  fc.record({ kind: fc.constant("percentage" as const), basisPoints: fc.integer({ min: 0, max: 20_000 }) }),
  fc.record({ kind: fc.constant("fixed" as const), amount: price }),
)

test("a discount is between zero and the price", () => {
  fc.assert(
    fc.property(price, discount, (amount, taken) => {
      const off = discountOn(amount, taken)
      expect(off.minor).toBeGreaterThanOrEqual(0)
      expect(off.minor).toBeLessThanOrEqual(amount.minor)
      expect(off.currency).toBe("EUR")
    }),
  )
})

test("a higher price never gets a smaller discount", () => {
  fc.assert(
    fc.property(price, price, discount, (a, b, taken) => {
      const [cheap, dear] = a.minor <= b.minor ? [a, b] : [b, a]
      expect(discountOn(dear, taken).minor).toBeGreaterThanOrEqual(discountOn(cheap, taken).minor)
    }),
  )
})

test.each<[Discount, number, number]>([
  [{ kind: "percentage", basisPoints: 1_000 }, 9_890, 989],
  [{ kind: "percentage", basisPoints: 1_250 }, 999, 125],
  [{ kind: "percentage", basisPoints: 10_000 }, 999, 999],
  [{ kind: "percentage", basisPoints: 0 }, 999, 0],
  [{ kind: "fixed", amount: money(1_500, "EUR") }, 7_900, 1_500],
  [{ kind: "fixed", amount: money(1_500, "EUR") }, 1_200, 1_200],
])("the discount %j on %i cents is %i cents", (taken, cents, off) => {
  expect(discountOn(money(cents, "EUR"), taken)).toEqual(money(off, "EUR"))
})
