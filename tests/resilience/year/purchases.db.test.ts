import fc from "fast-check"
import { expect, test } from "vitest"
import { engines } from "../../fixtures/temporary-database"
import { anyPurchases, deedsLeftOut } from "./purchase-sequences"

const RUNS = { SQLite: 5, PostgreSQL: 1 } as const

test("every kind of deed is one that a sequence may have", () => {
  expect(deedsLeftOut).toEqual([])
})

test.each(engines)(
  "whatever is bought, paid, refunded and ended in whatever order: no cent and no paid day appears or vanishes, on %s",
  { timeout: 300_000 },
  async (engine) => {
    await fc.assert(anyPurchases(engine, { min: 20, max: 40 }), { numRuns: RUNS[engine] })
  },
)
