import fc from "fast-check"
import { expect, test } from "vitest"
import type { PriceTable, Product, ScheduledPrice } from "./catalogue"
import { nextPriceAt, passedPrices, pricesAt, productsAt, withoutPassedPrices } from "./scheduled-prices"

const scheduled = (from: number, price: number, other: Partial<ScheduledPrice> = {}): ScheduledPrice => ({
  from,
  currency: "EUR",
  cycle: "monthly",
  price,
  author: "owner@shop.test",
  at: 0,
  reason: "costs",
  ...other,
})
const pricing: PriceTable = { EUR: { monthly: 1_200, annually: 9_900 } }
const month: Product = {
  id: "1",
  kind: "plan",
  name: "Month",
  payType: "recurring",
  pricing,
  options: [],
  customFields: [],
}
/** The month with an option, whose price is scheduled to change at `from`. */
const withOption = (from: number, price: number): Product => {
  const choice = { id: "1", name: "One", pricing: { EUR: { monthly: 300 } } }
  const scheduledPrices = [scheduled(from, price)]
  return { ...month, options: [{ id: "2", name: "Extra", choices: [{ ...choice, scheduledPrices }] }] }
}
const monthly = (scheduledPrices: readonly ScheduledPrice[], at: number) =>
  pricesAt({ pricing, scheduledPrices }, at).EUR?.monthly

test("a scheduled price is in force from its instant on, not a moment before", () => {
  const list = [scheduled(1_000, 1_400)]
  expect([999, 1_000, 1_001].map((at) => monthly(list, at))).toEqual([1_200, 1_400, 1_400])
})

test("only the price of its currency and cycle changes, and one that is not sold stays unsold", () => {
  const list = [
    scheduled(5, 1_400),
    scheduled(5, 7, { currency: "GBP" }),
    scheduled(5, 7, { cycle: "monthly", currency: "USD" }),
  ]
  expect(pricesAt({ pricing, scheduledPrices: list }, 5)).toEqual({
    EUR: { monthly: 1_400, annually: 9_900 },
  })
})

test("the price in force is the newest whose instant is not after now, in whatever order they are listed", () => {
  const prices = fc.uniqueArray(fc.tuple(fc.nat(50), fc.nat(9_999)), { selector: ([from]) => from })
  fc.assert(
    fc.property(prices, fc.nat(60), (list, now) => {
      const newest = list.filter(([from]) => from <= now).sort(([one], [other]) => other - one)[0]
      const found = monthly(
        list.map(([from, price]) => scheduled(from, price)),
        now,
      )
      expect(found).toBe(newest ? newest[1] : 1_200)
    }),
  )
})

test("products priced twice, at two instants, are those priced once, at the later one", () => {
  const prices = fc.array(fc.tuple(fc.nat(50), fc.nat(9_999)), { maxLength: 6 })
  fc.assert(
    fc.property(prices, fc.nat(60), fc.nat(60), (list, one, other) => {
      const product = { ...month, scheduledPrices: list.map(([from, price]) => scheduled(from, price)) }
      const [sooner, later] = [Math.min(one, other), Math.max(one, other)]
      expect(productsAt(productsAt([product], sooner), later)).toEqual(productsAt([product], later))
    }),
  )
})

test("products have the prices in force of their options too, and what is ahead; others are the same objects", () => {
  const product = { ...withOption(20, 350), scheduledPrices: [scheduled(10, 1_400), scheduled(30, 1_600)] }
  const [now] = productsAt([product], 10)
  expect([now?.pricing.EUR?.monthly, now?.scheduledPrices]).toEqual([1_400, [scheduled(30, 1_600)]])
  expect(now?.options[0]).toBe(product.options[0])
  const [later] = productsAt([product], 30)
  expect(later?.options[0]?.choices[0]).toMatchObject({ pricing: { EUR: { monthly: 350 } } })
  expect(later?.scheduledPrices).toBeUndefined()
  const list = [product, month]
  expect(productsAt(list, 9)).toBe(list)
})

test("the next instant is the first one that is ahead, of products and options alike", () => {
  const product = { ...withOption(20, 350), scheduledPrices: [scheduled(30, 1_600)] }
  const nextAt = (at: number) => nextPriceAt(productsAt([month, product], at))
  expect([19, 20, 30].map(nextAt)).toEqual([20, 30, null])
})

test("prices that have come into force are told by their instants, each once", () => {
  const two = [{ ...withOption(20, 350), scheduledPrices: [scheduled(10, 1_400)] }, withOption(20, 350)]
  expect(passedPrices(two, 20).map(([from]) => from)).toEqual([10, 20])
  expect(passedPrices(two, 9)).toEqual([])
})

test("products without what has passed keep the price of before, and what is ahead", () => {
  const product = { ...month, scheduledPrices: [scheduled(10, 1_400), scheduled(30, 1_600)] }
  const [kept] = withoutPassedPrices([product], 10)
  expect(kept).toEqual({ ...month, scheduledPrices: [scheduled(30, 1_600)] })
})
