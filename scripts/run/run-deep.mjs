import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { CliError } from "../setup/cli-error.mjs"
import { inProject, projectFolder } from "../setup/project-root.mjs"
import { pickFiles, rotate, slicesOf } from "./deep-slices.mjs"
import { listFiles } from "./list-deep-files.mjs"
import { addRun, readRetries, repeatedRetries, writeRetries } from "./retry-record.mjs"
import { printLeftOut, runStages } from "./run-suite.mjs"
import { runStep } from "./run-test-step.mjs"
import {
  clearReports,
  printFailures,
  readPlaywrightReport,
  readVitestReport,
  reports,
} from "./test-reports.mjs"
import { buildIfNeeded, deepStages, fitToMachine } from "./test-steps.mjs"

/**
 * @typedef {import("./deep-slices.mjs").Slice} Slice
 * @typedef {import("./run-test-step.mjs").StepResult} StepResult
 * @typedef {import("./test-reports.mjs").TestReport} TestReport
 * @typedef {import("./test-steps.mjs").TestStep} TestStep
 * @typedef {{ slice: Slice, result: StepResult | null, report: TestReport | null }} SliceRun result: null if the
 *   deadline passed before the slice started
 *
 * @typedef {object} DeepOptions
 * @property {readonly string[]} patterns
 * @property {readonly string[]} missing packages
 * @property {number} [deadline] on the clock of `performance.now()`; with one, small slices run in an order that
 *   rotates by commit
 */

/** Files of a slice when time is limited: few enough to lose little at the deadline, enough for all workers. */
const SLICE_FILES = 4
/** Milliseconds. A slice with less remaining time is not started. */
const MIN_TIME = 30_000
const OUTPUT = "test-results/e2e-deep"

/**
 * Runs the deep tests of both runners and prints retried tests and slices that did not run.
 * @param {DeepOptions} options
 * @returns {Promise<import("./run-suite.mjs").SuiteOutcome>}
 */
export async function runDeepTests({ patterns, missing, deadline }) {
  const { stages, leftOut } = fitToMachine(deepStages, missing)
  if (leftOut.length > 0) printLeftOut(leftOut, missing)
  const steps = stages.flat(2)
  const files = pickFiles(steps.flatMap(listFiles), patterns)
  if (files.length === 0) throw new CliError(noneFound(patterns))
  const built = await runStages([[buildIfNeeded()]], deadline)
  if (built.some(({ ok }) => !ok)) return { passed: 0, failed: 1, results: built }

  rmSync(inProject(OUTPUT), { recursive: true, force: true })
  const slices = deadline
    ? rotate(slicesOf(files, SLICE_FILES), currentCommit())
    : slicesOf(files, files.length)
  /** @type {SliceRun[]} */
  const runs = []
  for (const [index, slice] of slices.entries()) {
    const name = `Deep tests ${index + 1} of ${slices.length}: ${slice.project}`
    runs.push(await runSlice(toStep(slice, steps, name), slice, deadline))
  }
  printNotRun(runs)
  printFailures(runs.flatMap(({ report }) => report?.failures ?? []))
  printFailedSlices(runs)
  const repeated = recordRetries(runs)
  return summarize(runs, built, repeated.length)
}

/** @param {readonly string[]} patterns */
function noneFound(patterns) {
  if (patterns.length === 0) return "There is no deep test that this machine can run."
  return `No deep test's project or path contains ${patterns.join(" or ")}.`
}

/** Without Git, slices are not rotated. */
function currentCommit() {
  const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: projectFolder, encoding: "utf8" })
  return stdout ?? ""
}

/**
 * @param {Slice} slice
 * @param {readonly TestStep[]} steps one for each runner
 * @param {string} name
 * @returns {TestStep}
 */
function toStep({ runner, project, files }, steps, name) {
  const step = steps.find((it) => it.runner === runner)
  if (!step) throw new Error(`No step for ${runner}`)
  if (runner === "vitest") return { ...step, name, args: [...step.args, ...files] }
  // Playwright takes a file name as a regular expression and empties its trace folder at each start.
  const exactly = files.map((file) => `${file.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`)
  const output = `--output=${OUTPUT}/${name.replaceAll(/\W+/g, "-")}`
  return { ...step, name, args: [...step.args, `--project=${project}`, output, ...exactly] }
}

/**
 * @param {TestStep} step
 * @param {Slice} slice
 * @param {number} [deadline]
 * @returns {Promise<SliceRun>}
 */
async function runSlice(step, slice, deadline) {
  if (deadline && performance.now() > deadline - MIN_TIME) return { slice, result: null, report: null }
  clearReports([reports.vitestDeep, reports.playwrightDeep])
  const result = await runStep(step, deadline)
  const report =
    slice.runner === "vitest"
      ? readVitestReport(reports.vitestDeep)
      : readPlaywrightReport(reports.playwrightDeep)
  return { slice, result, report }
}

/** @param {readonly SliceRun[]} runs */
function printNotRun(runs) {
  const lines = runs.flatMap(notRunLines)
  if (lines.length === 0) return
  console.log("\nNot run, out of time:")
  for (const line of lines) console.log(`  ${line}`)
}

/**
 * Prints the slices that failed without a failed test, such as one with a file that cannot be loaded.
 * @param {readonly SliceRun[]} runs
 */
function printFailedSlices(runs) {
  for (const run of runs) {
    if (failuresOf(run) > (run.report?.failures.length ?? 0))
      console.log(`\nFailed without a failed test: ${run.slice.project} › ${run.slice.files.join(", ")}`)
  }
}

/** @param {SliceRun} run */
function notRunLines({ slice: { project, files }, result, report }) {
  if (result && !result.isInterrupted) return []
  return report ? countByFile(report.notRun) : files.map((file) => `${project} › ${file}`)
}

/** @param {readonly string[]} tests whose names begin with their project and their file */
function countByFile(tests) {
  const files = tests.map((name) => name.split(" › ", 2).join(" › "))
  const count = (/** @type {string} */ file) => files.filter((it) => it === file).length
  return [...new Set(files)].map((file) => `${file}: ${count(file)} of its tests`)
}

/**
 * Prints each retry and records it for later runs.
 * @param {readonly SliceRun[]} runs
 * @returns {string[]} the tests that also needed one in another of their last ten runs
 */
function recordRetries(runs) {
  const retried = runs.flatMap(({ report }) => report?.retried ?? [])
  const names = runs.flatMap(({ report }) => report?.names ?? [])
  const retriedNames = retried.map(({ name }) => name)
  const record = addRun(readRetries(), { names, retried: retriedNames })
  writeRetries(record)
  const repeated = repeatedRetries(record).filter((name) => retriedNames.includes(name))
  if (retried.length > 0) console.log("\nPassed at the second try:")
  for (const { name, evidence } of retried) console.log(`  ${name}\n    ${evidence}`)
  if (repeated.length > 0) console.log("\nFailed, two retries in the last ten runs:")
  for (const name of repeated) console.log(`  ${name}`)
  return repeated
}

/**
 * @param {readonly SliceRun[]} runs
 * @param {readonly StepResult[]} built
 * @param {number} repeated
 */
function summarize(runs, built, repeated) {
  const sum = (/** @type {(run: SliceRun) => number} */ count) =>
    runs.reduce((total, run) => total + count(run), 0)
  return {
    passed: sum(({ report }) => report?.passed ?? 0) - repeated,
    failed: sum(failuresOf) + repeated,
    results: [...built, ...secondsByProject(runs)],
  }
}

/**
 * A slice that fails without a failed test counts as one failure: a file that cannot be loaded, for example.
 * @param {SliceRun} run
 */
function failuresOf({ result, report }) {
  const failed = report?.failures.length ?? 0
  const isFailed = result !== null && !result.ok && !result.isInterrupted
  return isFailed ? Math.max(failed, 1) : failed
}

/**
 * @param {readonly SliceRun[]} runs
 * @returns {StepResult[]}
 */
function secondsByProject(runs) {
  const projects = [...new Set(runs.map(({ slice }) => slice.project))]
  return projects.map((project) => {
    const results = runs.flatMap(({ slice, result }) => (slice.project === project && result ? [result] : []))
    return {
      name: `Deep tests: ${project}`,
      seconds: results.reduce((total, { seconds }) => total + seconds, 0),
      ok: results.every(({ ok }) => ok),
      isInterrupted: results.some(({ isInterrupted }) => isInterrupted),
    }
  })
}
