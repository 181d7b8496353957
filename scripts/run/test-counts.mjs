import { existsSync, readFileSync, rmSync } from "node:fs"
import { inProject } from "../setup/project-root.mjs"

/** @typedef {{ passed: number, failed: number, again: number }} Counts again: of the passed, those tried more than once */

/** Where the two runners write what they counted. */
export const reports = {
  unit: inProject("test-results", "unit.json"),
  endToEnd: inProject("test-results", "e2e.json"),
}

/** Counts of an earlier run must not stand in for those of this one. */
export function forgetReports() {
  for (const file of Object.values(reports)) rmSync(file, { force: true })
}

/** What both runners have counted so far. @returns {Counts} */
export function countTests() {
  const unit = read(reports.unit)
  const endToEnd = read(reports.endToEnd)?.stats
  const again = endToEnd?.flaky ?? 0
  return {
    passed: (unit?.numPassedTests ?? 0) + (endToEnd?.expected ?? 0) + again,
    failed: (unit?.numFailedTests ?? 0) + (endToEnd?.unexpected ?? 0),
    again,
  }
}

/** @param {string} file */
function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null
}
