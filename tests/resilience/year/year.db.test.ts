import { expect, test } from "vitest"
import { engines } from "../../fixtures/temporary-database"
import { checkYear } from "./check-year"
import { habits } from "./year-of-a-shop"

/** Milliseconds: four months take 20 s on an idle machine, and six times that on a busy one. */
const TIMEOUT = 180_000

test.each(engines)(
  "four months of a shop is what an independent calendar expects, on %s",
  { timeout: TIMEOUT },
  async (engine) => {
    const count = Object.keys(habits).length
    const { served, deaths, changes } = await checkYear(engine, { customers: count, days: 130, faults: true })
    expect(served).toBeGreaterThan(500)
    expect(deaths).toBeGreaterThan(0)
    // Each way to change a plan occurs.
    expect(Math.min(...Object.values(changes))).toBeGreaterThan(0)
  },
)
