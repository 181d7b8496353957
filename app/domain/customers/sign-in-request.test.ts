import { expect, test } from "vitest"
import { codeIn } from "./sign-in-request"

test.each([
  ["481702", "481702"],
  [" 481 702 ", "481702"],
  ["481-702", "481702"],
  ["\u00A0481\u2009702\n", "481702"],
  ["４８１７０２", "481702"],
  ["000000", "000000"],
])("the code in %j is %s", (typed, code) => {
  expect(codeIn(typed)).toBe(code)
})

test.each(["", "48170", "4817023", "48170a", "٤٨١٧٠٢", "4817.2", "-", "+48170"])("%j is no code", (typed) => {
  expect(codeIn(typed)).toBeNull()
})
