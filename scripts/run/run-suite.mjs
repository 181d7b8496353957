import { availableParallelism } from "node:os"
import { installCommand } from "../setup/install-system-packages.mjs"
import { runStep } from "./run-test-step.mjs"
import { clearReports, countTests, printFailures, reports } from "./test-reports.mjs"
import { fitToMachine, stagesHaveTests } from "./test-steps.mjs"

/**
 * @typedef {import("./test-steps.mjs").Stage} Stage
 * @typedef {import("./test-steps.mjs").TestStep} TestStep
 * @typedef {import("./run-test-step.mjs").StepResult} StepResult
 * @typedef {{ passed: number, failed: number, results: readonly StepResult[] }} SuiteOutcome
 *
 * @typedef {object} SuiteOptions
 * @property {readonly string[]} missing packages
 * @property {number} [deadline] on the clock of `performance.now()`
 */

/**
 * Runs stages up to the first one with a failed step, and prints what was skipped for lack of a package.
 * @param {readonly Stage[]} wanted
 * @param {SuiteOptions} options
 * @returns {Promise<SuiteOutcome>} failed is at least 1 when a step failed, even if no test did
 */
export async function runSuite(wanted, { missing, deadline }) {
  clearReports([reports.vitest, reports.playwright])
  const { stages, leftOut } = fitToMachine(wanted, missing)
  const results = await runStages(stages, deadline)
  if (leftOut.length > 0) printLeftOut(leftOut, missing)
  const { passed, failures } = countTests()
  printFailures(failures)
  const isEmpty = stagesHaveTests(wanted) && !stagesHaveTests(stages)
  const isWell = results.every(({ ok }) => ok) && !isEmpty
  return { passed, failed: isWell ? failures.length : Math.max(failures.length, 1), results }
}

/**
 * @param {readonly Stage[]} stages
 * @param {number} [deadline]
 * @returns {Promise<StepResult[]>}
 */
export async function runStages(stages, deadline) {
  /** @type {StepResult[]} */
  const results = []
  for (const stage of stages) {
    results.push(...(await runLanes(stage, deadline)))
    if (results.some(({ ok }) => !ok)) break
  }
  return results
}

/**
 * Runs lanes concurrently, at most as many as the machine has cores. A lane ends at its first failed step.
 * @param {Stage} lanes
 * @param {number} [deadline]
 */
async function runLanes(lanes, deadline) {
  const waiting = [...lanes]
  /** @type {StepResult[]} */
  const results = []
  const runWaitingLanes = async () => {
    for (let lane = waiting.shift(); lane; lane = waiting.shift())
      results.push(...(await runLane(lane, deadline)))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runWaitingLanes))
  return results
}

/**
 * @param {readonly TestStep[]} lane
 * @param {number} [deadline]
 */
async function runLane(lane, deadline) {
  /** @type {StepResult[]} */
  const results = []
  for (const step of lane) {
    const result = await runStep(step, deadline)
    results.push(result)
    if (!result.ok) break
  }
  return results
}

/**
 * @param {readonly string[]} leftOut
 * @param {readonly string[]} missing
 */
export function printLeftOut(leftOut, missing) {
  console.log("\nSkipped, missing programs:")
  for (const it of leftOut) console.log(`  ${it}`)
  console.log(`To install: ${installCommand(missing)}`)
}

/**
 * Formats the duration of each step. Concurrent steps add up to more than the total in the last line.
 * @param {readonly { name: string, seconds: number }[]} stages
 * @param {number} total seconds
 */
export function timesTable(stages, total) {
  const rows = [...stages, { name: "In all", seconds: total }]
  const width = Math.max(...rows.map(({ name }) => name.length))
  return [
    `${"Stage".padEnd(width)}  Seconds`,
    ...rows.map(({ name, seconds }) => `${name.padEnd(width)}  ${seconds.toFixed(1).padStart(7)}`),
  ].join("\n")
}
