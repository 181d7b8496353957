import { randomInt } from "node:crypto"
import { expect, test } from "vitest"
import { isCodePrefix, newPromotionCodes, visibleCode } from "./promotion-code"

const draw = (below: number) => randomInt(below)

test("one-time codes are all different, and of characters that are not taken for others", () => {
  const codes = newPromotionCodes(draw, { count: 2_000, prefix: "" })
  expect(new Set(codes).size).toBe(2_000)
  for (const code of codes) expect(code).toMatch(/^([2-9A-HJKMNP-TV-Z]{4}-){2}[2-9A-HJKMNP-TV-Z]{4}$/)
})

test("a code that is drawn twice counts once", () => {
  const draws = [0, 0, 1].flatMap((value) => Array.from({ length: 12 }, () => value))
  expect(newPromotionCodes(() => draws.shift() ?? 2, { count: 2, prefix: "" })).toEqual([
    "2222-2222-2222",
    "3333-3333-3333",
  ])
})

test("the codes of a series begin with its prefix", () => {
  expect(newPromotionCodes(() => 0, { count: 1, prefix: "GIFT" })).toEqual(["GIFT-2222-2222-2222"])
})

test.each([
  ["", true],
  ["GIFT", true],
  ["XMAS-26", true],
  ["A".repeat(20), true],
  ["A".repeat(21), false],
  ["-GIFT", false],
  ["=1+1", false],
  ["gift", false],
  ["GIFT 26", false],
])("the prefix %j: %s", (prefix, isOne) => {
  expect(isCodePrefix(prefix)).toBe(isOne)
})

test("a copied code is what its buyer sees", () => {
  for (const copied of [
    "WEL\u00adCOME10",
    "\u200bWELCOME10\ufeff",
    "WELCOME10 \u200e",
    "\u2068WELCOME10\u2069",
  ])
    expect(visibleCode(copied)).toBe("WELCOME10")
  expect(visibleCode("CAFE\u0301")).toBe("CAF\u00c9")
  expect(visibleCode("👨\u200d👩\u200d👧 10")).toBe("👨\u200d👩\u200d👧 10")
})
