import { CliError } from "../setup/cli-error.mjs"

/**
 * @typedef {import("./run-suite.mjs").SuiteOutcome} SuiteOutcome
 * @typedef {(deadline: number) => Promise<SuiteOutcome>} RunTests deadline: on the clock of `performance.now()`
 */

const MINUTE = 60_000
/** Milliseconds; below the hour of the CI job, since interrupted steps need time to end. */
const WHOLE_LIMIT = 58 * MINUTE
const DEEP_LIMIT = 40 * MINUTE

/**
 * Runs `npm test`, then the deep tests in the remaining time.
 * @param {{ runTests: RunTests, runDeepTests: RunTests, now?: () => number, print?: (line: string) => void }} options
 * @returns {Promise<SuiteOutcome>} of both together
 */
export async function runCi({ runTests, runDeepTests, now = () => performance.now(), print = console.log }) {
  const tests = await failureAsOutcome(() => runTests(WHOLE_LIMIT), print)
  if (tests.failed > 0) {
    print("\nThe deep tests are not run, since a check or a test before them failed.")
    return tests
  }
  const deadline = Math.min(now() + DEEP_LIMIT, WHOLE_LIMIT)
  const deep = await failureAsOutcome(() => runDeepTests(deadline), print)
  return {
    passed: tests.passed + deep.passed,
    failed: deep.failed,
    results: [...tests.results, ...deep.results],
  }
}

/**
 * Converts an error that stops a suite into one failure, so that the summary line is always printed.
 * @param {() => Promise<SuiteOutcome>} run
 * @param {(line: string) => void} print
 * @returns {Promise<SuiteOutcome>}
 */
async function failureAsOutcome(run, print) {
  try {
    return await run()
  } catch (error) {
    print(error instanceof CliError ? error.message : String(error instanceof Error ? error.stack : error))
    return { passed: 0, failed: 1, results: [] }
  }
}
