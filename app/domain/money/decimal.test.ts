import fc from "fast-check"
import { expect, test } from "vitest"
import {
  ceilToCents,
  centsAtRates,
  formatDecimal,
  parseDecimal,
  partOf,
  partOfUp,
  unitsOf,
  withPlaces,
} from "./decimal"

test.each([
  ["3.00000000", "3"],
  ["0.07700000", "0.077"],
  ["0", "0"],
  ["0.00000000", "0"],
  ["007.10", "7.1"],
  ["-1.50", "-1.5"],
  ["-0", "0"],
  ["0.0000000000000000000000000001", "0.0000000000000000000000000001"],
  ["999999999999999999.999999999999999999", "999999999999999999.999999999999999999"],
])("formatDecimal() formats %s without trailing zeros: %s", (text, shown) => {
  expect(formatDecimal(parseDecimal(text))).toBe(shown)
})

test.each(["", "1,5", "1e3", ".5", "5.", "+1", " 1", "1 ", "0x1", "NaN", "--1", `0.${"0".repeat(28)}1`])(
  "parseDecimal() throws for %j",
  (text) => {
    expect(() => parseDecimal(text)).toThrow("Invalid decimal")
  },
)

test.each([
  ["0.1", "0.2", "0.3"],
  ["0.00000001", "21000000", "21000000.00000001"],
  ["-1.50", "1.5", "0"],
])("decimals add exactly: %s plus %s is %s", (a, b, sum) => {
  expect(formatDecimal(parseDecimal(a) + parseDecimal(b))).toBe(sum)
  expect(parseDecimal(sum) - parseDecimal(b)).toBe(parseDecimal(a))
})

test("parseDecimal() distinguishes amounts in the 18th decimal place", () => {
  expect(parseDecimal("0.100000000000000001") > parseDecimal("0.1")).toBe(true)
  expect(parseDecimal("3.00000000")).toBe(parseDecimal("3"))
})

test("parseDecimal() and formatDecimal() round-trip", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 46n), max: 10n ** 46n }), (decimal) => {
      expect(parseDecimal(formatDecimal(decimal))).toBe(decimal)
      expect(formatDecimal(decimal)).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
    }),
  )
})

test.each([
  [5n, 8, "0.00000005"],
  [-5n, 8, "-0.00000005"],
  [1_000_000n, 8, "0.01000000"],
  [123_456_789n, 8, "1.23456789"],
])("withPlaces() formats %s with all %i places: %s", (count, places, text) => {
  expect(withPlaces(count, places)).toBe(text)
})

test("unitsOf() counts wei, 10^-18 ether", () => {
  expect(unitsOf(parseDecimal("0.077"), 18)).toBe(77_000_000_000_000_000n)
})

test.each([
  ["12.4991757653", 1250],
  ["12.494999", 1249],
  ["0.005", 0],
  ["0.015", 2],
  ["0.0050001", 1],
  ["7", 700],
  ["-0.015", -2],
  ["-0.005", 0],
])("centsAtRates() rounds %s half to even to %s cents", (text, cents) => {
  expect(centsAtRates([{ amount: parseDecimal(text), rate: parseDecimal("1") }])).toBe(cents)
})

test("centsAtRates() multiplies exactly and rounds the sum, not its parts", () => {
  const half = { amount: parseDecimal("0.001"), rate: parseDecimal("3") }
  expect(centsAtRates([half])).toBe(0)
  expect(centsAtRates([half, half])).toBe(1)
  const coins = { amount: parseDecimal("0.00019411"), rate: parseDecimal("64392.23") }
  expect(centsAtRates([coins])).toBe(1250)
})

test.each([
  ["12.5", 1250],
  ["12.500000000000000001", 1251],
  ["0", 0],
])("ceilToCents() rounds %s up to %i cents", (text, cents) => {
  expect(ceilToCents(parseDecimal(text))).toBe(cents)
})

test("partOf() rounds down, partOfUp() up, and both return the whole for the whole", () => {
  const amounts = fc.tuple(fc.nat(100_000_000), fc.bigInt(0n, 10n ** 40n), fc.bigInt(1n, 10n ** 40n))
  fc.assert(
    fc.property(amounts, ([price, sent, rest]) => {
      const requested = sent + rest
      const exact = BigInt(price) * sent
      const [down, up] = [partOf, partOfUp].map((part) => BigInt(part(price, sent, requested)) * requested)
      expect(down !== undefined && down <= exact && exact < down + requested).toBe(true)
      expect(up !== undefined && up >= exact && exact > up - requested).toBe(true)
    }),
  )
  expect([partOf(1250, 5n, 5n), partOfUp(1250, 5n, 5n)]).toEqual([1250, 1250])
  expect([partOf(1250, 5n, 0n), partOfUp(1250, 5n, 0n)]).toEqual([0, 0])
})
