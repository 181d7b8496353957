import fc from "fast-check"
import { expect, test } from "vitest"
import { seedFrom } from "./test-seed"

/** Fails for some numbers, so that fast-check reports its seed. */
const fails = fc.property(fc.integer(), (number) => number % 3 !== 0)

function failureOf(run: () => void): string {
  try {
    run()
  } catch (error) {
    return String(error)
  }
  throw new Error("The property has not failed")
}

test("a failing property names its seed, and TEST_SEED reproduces the failure", () => {
  const seedIn = (message: string) => /seed: (-?\d+)/.exec(message)?.[1] ?? ""
  const first = failureOf(() => fc.assert(fails, { seed: 20_261_120 }))
  const seed = seedFrom({ TEST_SEED: seedIn(first) })
  expect(seed).toBe(20_261_120)
  const again = failureOf(() => fc.assert(fails, seed === null ? {} : { seed }))
  expect(again).toBe(first)
})

test("without TEST_SEED every property draws its own seed", () => {
  expect(seedFrom({})).toBeNull()
})

test("a TEST_SEED that is not an integer is rejected", () => {
  expect(() => seedFrom({ TEST_SEED: "eight" })).toThrow("TEST_SEED")
})
