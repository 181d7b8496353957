import { expect, test } from "vitest"
import { addRun, type RetryRecord, repeatedRetries } from "../../scripts/run/retry-record.mjs"

const passed = { names: ["pays"], retried: [] }
const retried = { names: [], retried: ["pays"] }

/** Returns the record after these runs of one test. */
const after = (runs: readonly (typeof passed | typeof retried)[]) => runs.reduce<RetryRecord>(addRun, {})

test("a test that passes at its first try is not recorded", () => {
  expect(after([passed, passed])).toEqual({})
})

test("a test that needs one retry is recorded, and does not fail the run", () => {
  const record = after([passed, retried, passed])
  expect(record).toEqual({ pays: [true, false] })
  expect(repeatedRetries(record)).toEqual([])
})

test("a test that needs a retry twice in its last ten runs fails the run", () => {
  expect(repeatedRetries(after([retried, ...Array(8).fill(passed), retried]))).toEqual(["pays"])
})

test("a retry eleven runs ago no longer counts", () => {
  expect(repeatedRetries(after([retried, ...Array(9).fill(passed), retried]))).toEqual([])
  expect(after([retried, ...Array(10).fill(passed)])).toEqual({})
})

test("a run without the test does not push its retry out of the record", () => {
  const others = { names: ["signs in"], retried: [] }
  expect(repeatedRetries(after([retried, ...Array(20).fill(others), retried]))).toEqual(["pays"])
})

test("a retry of one test does not count for another", () => {
  const record = addRun(after([retried]), { names: ["pays"], retried: ["signs in"] })
  expect(repeatedRetries(record)).toEqual([])
})
