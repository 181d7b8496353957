import { expect, test } from "vitest"
import { slowExpressions } from "./regular-expressions"

/** The texts of an expression differ little: regular-expressions.deep.test.ts tries all of them. */
const EVERY = 7

test("no regular expression of the shop takes long for the longest text it can be given", () => {
  const { slow, tried } = slowExpressions(EVERY)
  expect(slow).toEqual([])
  expect(tried).toBeGreaterThan(5_000)
})
