import fc from "fast-check"
import { expect, test } from "vitest"
import { exact, hundredths, minus, plus, textOf, times } from "./decimal"

test.each([
  ["0.1", "0.2", "0.3"],
  ["0.00000001", "21000000", "21000000.00000001"],
  ["-1.50", "1.5", "0"],
  ["0.0000000000000000000000000001", "0", "0.0000000000000000000000000001"],
])("exact decimals: %s plus %s is %s", (a, b, sum) => {
  expect(textOf(plus(exact(a), exact(b)))).toBe(sum)
  expect(textOf(minus(exact(sum), exact(b)))).toBe(textOf(exact(a)))
})

test("times() multiplies a coin amount and a rate exactly", () => {
  expect(textOf(times(exact("0.00019411"), exact("64392.23")))).toBe("12.4991757653")
})

test.each([
  ["12.4991757653", 1250n],
  ["12.494999", 1249n],
  ["0.005", 0n],
  ["0.015", 2n],
  ["0.0050001", 1n],
  ["7", 700n],
  ["-0.015", -2n],
  ["-0.005", 0n],
])("hundredths() rounds %s half to even to %s", (text, count) => {
  expect(hundredths(exact(text))).toBe(count)
})

test.each(["", "1,5", "1e3", ".5", "5.", "0x1", "NaN", "1 ", "--1"])("exact() throws for %j", (text) => {
  expect(() => exact(text)).toThrow(/Invalid decimal/)
})

test("textOf() round-trips through exact() without trailing zeros", () => {
  const digits = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n })
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 18 }), (count, scale) => {
      const text = textOf({ digits: count, scale })
      expect(minus(exact(text), { digits: count, scale }).digits).toBe(0n)
      expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
    }),
  )
})
