import { expect, test } from "vitest"
import { slowExpressions } from "./regular-expressions"

test("no regular expression of the shop exceeds its time limit for any hostile text of the maximum length", () => {
  const { slow, tried } = slowExpressions()
  process.stdout.write(`texts hostile to regular expressions tried: ${tried}, violations: ${slow.length}\n`)
  expect(slow).toEqual([])
  expect(tried).toBeGreaterThan(10_000)
})
