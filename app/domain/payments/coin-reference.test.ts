import { expect, test } from "vitest"
import { coinReferenceKey, coinReferences } from "./coin-reference"

test.each([
  ["bc1qexample0000", "bc1qexample0000"],
  [" BC1QEXAMPLE0000 ", "bc1qexample0000"],
  ["bitcoin:BC1QEXAMPLE0000?amount=0.001&label=x", "bc1qexample0000"],
  ["ethereum:0xAbCd?value=1", "0xabcd"],
  ["0xABCDEF", "0xabcdef"],
])("%s is looked up as %s", (text, key) => {
  expect(coinReferenceKey(text)).toBe(key)
})

test("what a provider leaves out, or writes without end, is no reference", () => {
  expect(coinReferences([null, "", "bc1q", "x".repeat(1_001)], [undefined, "4f2c"])).toEqual([
    { kind: "address", value: "bc1q" },
    { kind: "transaction", value: "4f2c" },
  ])
})
