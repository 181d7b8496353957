import { expect, test } from "vitest"
import { oneOfEachFault, runCells } from "./matrix"

/** Fixed, so that a failure is reproducible; fault-matrix.deep.db.test.ts runs more cells, and `npm run soak` all. */
const SEED = 8

test("a single fault between a buyer and the upstreams loses, duplicates and gives away nothing", async () => {
  const cells = await oneOfEachFault(SEED)
  const { faults, held, violations } = await runCells(cells)
  expect(violations).toEqual([])
  expect(faults).toBeGreaterThanOrEqual(cells.length)
  expect(held).toBeGreaterThanOrEqual(cells.length / 2)
}, 60_000)
