import { expect, test } from "vitest"
import { runCi } from "../../scripts/run/run-ci.mjs"

const MINUTE = 60_000
const outcome = (passed: number, failed: number) => ({ passed, failed, results: [] })

/** Simulates CI with `npm test` taking `minutes`; returns the printed lines and the deadline of the deep tests. */
async function ci({ minutes = 10, tests = outcome(100, 0), deep = outcome(20, 0) }) {
  const printed: string[] = []
  const deadlines: number[] = []
  const result = await runCi({
    runTests: async () => tests,
    runDeepTests: async (deadline) => {
      deadlines.push(deadline)
      return deep
    },
    now: () => minutes * MINUTE,
    print: (line) => printed.push(line),
  })
  return { result, printed, deadlines }
}

test("the tests of npm test and the deep tests are counted together", async () => {
  const { result } = await ci({ deep: outcome(20, 3) })
  expect(result).toMatchObject({ passed: 120, failed: 3 })
})

test("the deep tests have 40 minutes", async () => {
  expect((await ci({ minutes: 10 })).deadlines).toEqual([50 * MINUTE])
})

test("after a slow npm test the deep tests have the rest of 58 minutes", async () => {
  expect((await ci({ minutes: 30 })).deadlines).toEqual([58 * MINUTE])
})

test("the deep tests are not run when npm test fails", async () => {
  const { result, printed, deadlines } = await ci({ tests: outcome(99, 1) })
  expect(deadlines).toEqual([])
  expect(result).toMatchObject({ passed: 99, failed: 1 })
  expect(printed.join()).toContain("The deep tests are not run")
})

test("an error that stops npm test counts as one failure and is printed", async () => {
  const printed: string[] = []
  const result = await runCi({
    runTests: () => Promise.reject(new Error("npm ci failed")),
    runDeepTests: async () => outcome(1, 0),
    print: (line) => printed.push(line),
  })
  expect(result).toMatchObject({ passed: 0, failed: 1 })
  expect(printed.join()).toContain("npm ci failed")
})

test("an error that stops the deep tests adds one failure to the count of npm test", async () => {
  const result = await runCi({
    runTests: async () => outcome(100, 0),
    runDeepTests: () => Promise.reject(new Error("the deep tests cannot be listed")),
    print: () => {},
  })
  expect(result).toMatchObject({ passed: 100, failed: 1 })
})
