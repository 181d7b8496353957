import { expect, test } from "vitest"
import { oneOfEachFault, runCells } from "./matrix"

/** Fixed, so that a failure is reproducible; fault-matrix.deep.db.test.ts runs more cells, and `npm run soak` all. */
const SEED = 8

test("a single fault between a buyer and the upstreams loses, duplicates and gives away nothing", async () => {
  const matrix = await oneOfEachFault(SEED)
  const { faults, held, violations } = await runCells(matrix)
  expect(violations).toEqual([])
  expect(faults).toBeGreaterThanOrEqual(matrix.cells.length)
  expect(held).toBeGreaterThanOrEqual(matrix.cells.length / 2)
}, 300_000)
