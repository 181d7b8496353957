import fc from "fast-check"
import { test } from "vitest"
import { anyPurchases } from "./purchase-sequences"

/** On PostgreSQL fewer runs, since each transaction waits for a server. */
const runs = [
  ["SQLite", 150],
  ["PostgreSQL", 25],
] as const

test.each(runs)(
  "on %s, %i sequences of purchases of any kind lose and give no cent and no paid day",
  { timeout: 1_800_000 },
  async (engine, numRuns) => {
    await fc.assert(anyPurchases(engine, { min: 20, max: 60 }), { numRuns })
  },
)
