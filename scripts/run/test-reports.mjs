import { existsSync, readFileSync, rmSync } from "node:fs"
import { relative } from "node:path"
import { inProject, projectFolder } from "../setup/project-root.mjs"

/**
 * @typedef {{ name: string, evidence: string }} Retried a test that passed at its second try; evidence: the path of
 *   the trace of that try, or the message with which the first one failed
 * @typedef {{ name: string, message: string }} Failure message: its first line
 *
 * @typedef {object} TestReport
 * @property {number} passed
 * @property {readonly Failure[]} failures
 * @property {readonly string[]} names of the tests that passed at their first try
 * @property {readonly Retried[]} retried
 * @property {readonly string[]} notRun names of the tests that were interrupted or never began
 */

/** Report files of the two runners. */
export const reports = {
  vitest: inProject("test-results", "unit.json"),
  playwright: inProject("test-results", "e2e.json"),
  vitestDeep: inProject("test-results", "deep.json"),
  playwrightDeep: inProject("test-results", "e2e-deep.json"),
}

/**
 * Deletes the reports of an earlier run, so that they are not read as those of this run.
 * @param {readonly string[]} files
 */
export function clearReports(files) {
  for (const file of files) rmSync(file, { force: true })
}

/** Counts the tests of both runners in `npm test`, and names those that failed. */
export function countTests() {
  const counted = [readVitestReport(reports.vitest), readPlaywrightReport(reports.playwright)]
  return {
    passed: counted.reduce((sum, report) => sum + (report?.passed ?? 0), 0),
    failures: counted.flatMap((report) => report?.failures ?? []),
  }
}

/**
 * @param {string} file
 * @returns {TestReport | null} null without a report
 */
export function readVitestReport(file) {
  const report = read(file)
  return report && parseVitestReport(report)
}

/**
 * @param {string} file
 * @returns {TestReport | null} null without a report
 */
export function readPlaywrightReport(file) {
  const report = read(file)
  return report && parsePlaywrightReport(report)
}

/** @param {string} file */
function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null
}

/**
 * @typedef {{ status: string, ancestorTitles: string[], title: string, failureMessages: string[] }} VitestTest
 * @typedef {{ testResults: { name: string, assertionResults: VitestTest[] }[] }} VitestJson
 */

/**
 * @param {VitestJson} report
 * @returns {TestReport}
 */
export function parseVitestReport({ testResults }) {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({
      ...test,
      name: [relative(projectFolder, name), ...test.ancestorTitles, test.title].filter(Boolean).join(" › "),
    })),
  )
  const passed = tests.filter(({ status }) => status === "passed")
  // Vitest's report has no retry count, but only a retried test passes with failure messages.
  const isRetried = (/** @type {VitestTest} */ { failureMessages }) => failureMessages.length > 0
  return {
    passed: passed.length,
    failures: tests
      .filter(({ status }) => status === "failed")
      .map(({ name, failureMessages }) => ({ name, message: messageOfAll(failureMessages) })),
    names: passed.filter((test) => !isRetried(test)).map(({ name }) => name),
    retried: passed
      .filter(isRetried)
      .map(({ name, failureMessages: [message = ""] }) => ({ name, evidence: firstLine(message) })),
    notRun: [],
  }
}

/**
 * Vitest reports a test that is repeated as one test with the failures of all its runs.
 * @param {readonly string[]} messages
 */
function messageOfAll([first = "", ...others]) {
  return others.length === 0
    ? firstLine(first)
    : `${firstLine(first)} (failures in all: ${others.length + 1})`
}

/** @param {string} text */
const firstLine = (text) => text.split("\n", 1)[0] ?? ""

/**
 * Prints the failed tests by name at the end of a run: their own output may be thousands of lines above.
 * @param {readonly Failure[]} failures
 * @param {(line: string) => void} [print]
 */
export function printFailures(failures, print = console.log) {
  if (failures.length === 0) return
  print("\nFailed:")
  for (const { name, message } of failures) print(`  ${name}\n    ${message}`)
}

/**
 * @typedef {{
 *   status: string,
 *   retry: number,
 *   errors?: { message?: string }[],
 *   attachments?: { name: string, path?: string }[],
 * }} PlaywrightResult
 * @typedef {{ projectName: string, status: string, results: PlaywrightResult[] }} PlaywrightTest
 * @typedef {{ title: string, file: string, line: number, tests: PlaywrightTest[] }} PlaywrightSpec
 * @typedef {{ title: string, suites?: PlaywrightSuite[], specs?: PlaywrightSpec[] }} PlaywrightSuite
 * @typedef {{ suites: PlaywrightSuite[] }} PlaywrightJson
 */

/**
 * @param {PlaywrightJson} report
 * @returns {TestReport}
 */
export function parsePlaywrightReport({ suites }) {
  const tests = suites.flatMap((suite) => testsOf(suite, []))
  const named = (/** @type {string} */ wanted) => tests.filter(({ status }) => status === wanted)
  const expected = named("expected")
  const flaky = named("flaky")
  return {
    passed: expected.length + flaky.length,
    failures: named("unexpected").map(({ name, results }) => ({ name, message: messageOf(results) })),
    names: expected.map(({ name }) => name),
    retried: flaky.map(({ name, results }) => ({ name, evidence: traceOf(results) })),
    notRun: named("skipped")
      .filter(({ results }) => !results.some(({ status }) => status === "skipped"))
      .map(({ name }) => name),
  }
}

/**
 * @param {PlaywrightSuite} suite
 * @param {readonly string[]} parents
 * @returns {(PlaywrightTest & { name: string })[]}
 */
function testsOf({ title, suites = [], specs = [] }, parents) {
  const path = [...parents, title]
  const own = specs.flatMap((spec) =>
    spec.tests.map((test) => ({ ...test, name: [test.projectName, ...path, spec.title].join(" › ") })),
  )
  return [...own, ...suites.flatMap((suite) => testsOf(suite, path))]
}

/** @param {readonly PlaywrightResult[]} results */
function traceOf(results) {
  const traces = results.flatMap(({ attachments = [] }) => attachments.filter(({ name }) => name === "trace"))
  const path = traces.at(-1)?.path
  return path ? relative(projectFolder, path) : "no trace"
}

/** @param {readonly PlaywrightResult[]} results */
function messageOf(results) {
  const errors = results.flatMap(({ errors = [] }) => errors)
  return firstLine(errors[0]?.message ?? results.at(-1)?.status ?? "")
}
