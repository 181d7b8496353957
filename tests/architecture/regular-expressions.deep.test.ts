import { expect, test } from "vitest"
import { slowExpressions } from "./regular-expressions"

test("no regular expression of the shop takes long for any hostile text of the longest length", () => {
  const { slow, tried } = slowExpressions()
  process.stdout.write(`texts hostile to regular expressions tried: ${tried}, violations: ${slow.length}\n`)
  expect(slow).toEqual([])
  expect(tried).toBeGreaterThan(10_000)
})
