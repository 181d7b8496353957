import { expect, test } from "vitest"
import { engines } from "../../fixtures/temporary-database"
import { checkYear } from "./check-year"
import { habits } from "./year-of-a-shop"

test.each(engines)("four months of a shop is what an independent calendar expects, on %s", async (engine) => {
  const count = Object.keys(habits).length
  const { served, deaths } = await checkYear(engine, { customers: count, days: 130, faults: true })
  expect(served).toBeGreaterThan(500)
  expect(deaths).toBeGreaterThan(0)
})
