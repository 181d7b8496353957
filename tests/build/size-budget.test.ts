import { expect, test } from "vitest"
import { budget, overBudget } from "../../scripts/build/size-budget.mjs"

const light = { script: 1, scriptFiles: 1, style: 1, fonts: 1, zod: [] }

test.each(["script", "style", "fonts"] as const)(
  "the %s of a checkout may be as large as its budget",
  (part) => {
    expect(overBudget({ ...light, [part]: budget[part] })).toEqual([])
  },
)

test("a build over budget names each exceeded budget and the actual size", () => {
  expect(overBudget({ ...light, script: 132_200, style: 12_100 })).toEqual([
    "script weighs 132.2 kB, the budget is 132.0 kB",
    "style weighs 12.1 kB, the budget is 12.0 kB",
  ])
})

test("a checkout may load as many files of script as its budget says, and not one more", () => {
  expect(overBudget({ ...light, scriptFiles: budget.scriptFiles })).toEqual([])
  expect(overBudget({ ...light, scriptFiles: budget.scriptFiles + 1 })).toEqual([
    "the checkout loads 7 files of script, the budget is 6",
  ])
})

test("a validation library in the browser's script exceeds the budget at any size", () => {
  expect(overBudget({ ...light, zod: ["checkout-1.js"] })).toEqual([
    "checkout-1.js brings zod to the browser",
  ])
})
