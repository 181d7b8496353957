import { expect, test } from "vitest"
import { cycleNamed, cycles, monthsOf } from "./billing-cycle"

test.each([
  ["Monthly", "monthly"],
  ["Quarterly", "quarterly"],
  ["Semi-Annually", "semiannually"],
  ["Annually", "annually"],
  ["Biennially", "biennially"],
  ["Triennially", "triennially"],
  ["One Time", "monthly"],
  ["One-Time", "monthly"],
  ["onetime", "monthly"],
  ["Free Account", null],
  ["constructor", null],
  ["", null],
])("parses the billing cycle %j as %s", (name, cycle) => {
  expect(cycleNamed(name)).toBe(cycle)
})

test("billing cycles are listed from the shortest to the longest", () => {
  expect(cycles.map(monthsOf)).toEqual([1, 3, 6, 12, 24, 36])
})
