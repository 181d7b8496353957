import fc from "fast-check"
import { expect, test } from "vitest"
import {
  fromDecimal,
  isCurrency,
  min,
  minus,
  money,
  per,
  plus,
  sameAmount,
  share,
  times,
  toDecimal,
} from "./money"

const minor = fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 })

test("decimal conversion round-trips to the cent", () => {
  fc.assert(
    fc.property(minor, (amount) => {
      expect(fromDecimal(toDecimal(money(amount, "EUR")), "EUR")).toEqual(money(amount, "EUR"))
    }),
  )
})

test.each([
  ["12.50", 1_250],
  ["12.5", 1_250],
  ["12", 1_200],
  ["3.00000000", 300],
  ["0.07", 7],
  ["-0.50", -50],
  ["-0", 0],
])("parses %s as %i cents", (text, cents) => {
  expect(fromDecimal(text, "GBP")).toEqual({ minor: cents, currency: "GBP" })
})

test.each(["", " 1", "1.", ".5", "1,50", "1.005", "1e3", "+1", "0x10", "NaN", "1.00000001", "9".repeat(13)])(
  "rejects %j as an amount",
  (text) => {
    expect(() => fromDecimal(text, "EUR")).toThrow("Invalid amount")
  },
)

test("rejects fractions of a cent and amounts beyond the safe integers", () => {
  expect(() => money(0.5, "EUR")).toThrow("Not minor units")
  expect(() => times(money(1, "EUR"), 0.5)).toThrow("Not minor units")
  expect(() => money(Number.MAX_SAFE_INTEGER + 1, "EUR")).toThrow("Not minor units")
})

test("negative zero equals zero", () => {
  expect(times(money(0, "EUR"), -1)).toEqual(money(0, "EUR"))
})

test("adding and subtracting the same amount returns the original amount", () => {
  fc.assert(
    fc.property(minor, minor, (a, b) => {
      const [first, second] = [money(a, "USD"), money(b, "USD")]
      expect(minus(plus(first, second), second)).toEqual(first)
      expect(plus(first, second)).toEqual(plus(second, first))
    }),
  )
})

test("rejects arithmetic between two currencies", () => {
  const [euro, pound] = [money(100, "EUR"), money(100, "GBP")]
  for (const calculate of [plus, minus, min])
    expect(() => calculate(euro, pound)).toThrow("Cannot combine GBP with EUR")
  expect(sameAmount(euro, pound)).toBe(false)
  expect(sameAmount(euro, money(100, "EUR"))).toBe(true)
})

test("amounts that differ by a cent are not equal", () => {
  expect(sameAmount(money(100, "EUR"), money(101, "EUR"))).toBe(false)
})

test.each([
  [0, "0.00"],
  [7, "0.07"],
  [-50, "-0.50"],
  [1_250, "12.50"],
])("formats %i cents as %s", (cents, text) => {
  expect(toDecimal(money(cents, "EUR"))).toBe(text)
})

test("a share is exact for every safe amount, with half a cent rounded up", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999_999_999 }),
      fc.integer({ min: 0, max: 10_000 }),
      (amount, part) => {
        const exact = (BigInt(amount) * BigInt(part) + 5_000n) / 10_000n
        expect(BigInt(share(money(amount, "EUR"), part).minor)).toBe(exact)
      },
    ),
  )
})

test.each([
  [1_000, 1_000, 100],
  [5, 5_000, 3],
  [4, 1_250, 1],
  [3, 1_250, 0],
  [1_999, 10_000, 1_999],
])("a share of %i cents at %i basis points is %i cents", (amount, part, cents) => {
  expect(share(money(amount, "EUR"), part).minor).toBe(cents)
})

test("rounds a price per month to the nearest cent", () => {
  expect(per(money(7_900, "EUR"), 12)).toEqual(money(658, "EUR"))
  expect(per(money(5_400, "EUR"), 6)).toEqual(money(900, "EUR"))
})

test("accepts supported currencies only", () => {
  expect(["EUR", "GBP", "USD", "eur", "JPY", ""].filter(isCurrency)).toEqual(["EUR", "GBP", "USD"])
})
