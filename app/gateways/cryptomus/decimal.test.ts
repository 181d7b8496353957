import fc from "fast-check"
import { expect, test } from "vitest"
import { coinDecimal, coinUnits, partOf } from "./decimal"

test.each([
  ["3.00000000", "3"],
  ["0.07700000", "0.077"],
  ["0", "0"],
  ["0.00000000", "0"],
  ["007.10", "7.1"],
  ["0.000000000000000001", "0.000000000000000001"],
  ["999999999999999999.999999999999999999", "999999999999999999.999999999999999999"],
])("coinDecimal() formats %s without trailing zeros: %s", (text, shown) => {
  expect(coinDecimal(coinUnits(text))).toBe(shown)
})

test.each(["", ".5", "5.", "-1", "+1", "1e3", "1,5", " 1", "0x10", "1.0000000000000000001", "NaN"])(
  "coinUnits() throws for %j",
  (text) => {
    expect(() => coinUnits(text)).toThrow("Invalid coin amount")
  },
)

test("coinUnits() distinguishes amounts in the 18th decimal place", () => {
  expect(coinUnits("0.100000000000000001") > coinUnits("0.1")).toBe(true)
  expect(coinUnits("3.00000000")).toBe(coinUnits("3"))
})

test("coinUnits() round-trips through coinDecimal()", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 36n - 1n }), (units) => {
      expect(coinUnits(coinDecimal(units))).toBe(units)
    }),
  )
})

test("partOf() rounds down and returns the whole for the whole", () => {
  const amounts = fc.tuple(fc.nat(100_000_000), fc.bigInt(0n, 10n ** 30n), fc.bigInt(1n, 10n ** 30n))
  fc.assert(
    fc.property(amounts, ([price, sent, rest]) => {
      const requested = sent + rest
      const counted = BigInt(partOf(price, sent, requested))
      expect(counted * requested <= BigInt(price) * sent).toBe(true)
      expect((counted + 1n) * requested > BigInt(price) * sent).toBe(true)
    }),
  )
  expect(partOf(1250, 5n, 5n)).toBe(1250)
  expect(partOf(1250, 5n, 0n)).toBe(0)
})
