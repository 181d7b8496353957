import { expect, test } from "vitest"
import { engines } from "../../fixtures/temporary-database"
import { checkYear } from "./check-year"

test.each(engines)(
  "a year of a shop with 1,000 customers is what an independent calendar expects, on %s",
  async (engine) => {
    const outcome = await checkYear(engine, { customers: 1_000, days: 365, faults: true })
    process.stdout.write(`${engine}: ${JSON.stringify(outcome)}\n`)
    expect(outcome.deaths).toBeGreaterThan(50)
  },
  3_600_000,
)
