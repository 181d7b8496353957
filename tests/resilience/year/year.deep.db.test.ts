import { expect, test } from "vitest"
import { checkYear } from "./check-year"

/** On PostgreSQL fewer customers, since each of a hundred thousand transactions waits for a server. */
const years = [
  ["SQLite", 1_000],
  ["PostgreSQL", 250],
] as const

test.each(years)(
  "on %s a year of a shop with %i customers is what an independent calendar expects",
  async (engine, customers) => {
    const outcome = await checkYear(engine, { customers, days: 365, faults: true })
    process.stdout.write(`${engine}: ${JSON.stringify(outcome)}\n`)
    expect(outcome.deaths).toBeGreaterThan(50)
  },
  3_600_000,
)
