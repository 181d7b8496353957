import { expect, test } from "vitest"
import { budget, overBudget } from "../../scripts/build/size-budget.mjs"

const light = { script: 1, scriptFiles: 1, style: 1, fonts: 1, zod: [] }

test.each(["script", "style", "fonts"] as const)("a checkout may weigh its whole budget of %s", (part) => {
  expect(overBudget({ ...light, [part]: budget[part] })).toEqual([])
})

test("whoever builds a checkout that is too heavy reads which budget it breaks, and what it weighs", () => {
  expect(overBudget({ ...light, script: 131_240, style: 12_100 })).toEqual([
    "script weighs 131.2 kB, the budget is 125.0 kB",
    "style weighs 12.1 kB, the budget is 12.0 kB",
  ])
})

test("a validation library never comes to the browser, however little it weighs", () => {
  expect(overBudget({ ...light, zod: ["checkout-1.js"] })).toEqual([
    "checkout-1.js brings zod to the browser",
  ])
})
