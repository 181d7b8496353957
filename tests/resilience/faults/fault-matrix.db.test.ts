import { expect, test } from "vitest"
import { oneOfEachFault, runCells } from "./matrix"

/** So that a failure is found again; fault-matrix.deep.db.test.ts runs more cells, and `npm run soak` all. */
const SEED = 8

test("whatever goes wrong once between a buyer and our upstreams, nothing is lost, doubled or given away", async () => {
  const cells = await oneOfEachFault(SEED)
  const { faults, held, violations } = await runCells(cells)
  expect(violations).toEqual([])
  expect(faults).toBeGreaterThanOrEqual(cells.length)
  expect(held).toBeGreaterThanOrEqual(cells.length / 2)
}, 60_000)
