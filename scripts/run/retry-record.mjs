import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { inProject } from "../setup/project-root.mjs"

/**
 * For each test with a retry in its last runs: whether each run needed one, oldest run first.
 * @typedef {Readonly<Record<string, readonly boolean[]>>} RetryRecord
 */

const RUNS = 10
const ALLOWED = 1
/** Outside node_modules, because `npm ci` empties that folder. */
export const RETRY_RECORD = "test-results/deep-retries.json"
const FILE = inProject(RETRY_RECORD)

/**
 * Adds a run to the record.
 * @param {RetryRecord} record
 * @param {{ names: readonly string[], retried: readonly string[] }} run names: tests that passed at their first try
 * @returns {RetryRecord}
 */
export function addRun(record, { names, retried }) {
  const passed = names.filter((name) => name in record)
  const outcomes = [
    ...passed.map((name) => /** @type {const} */ ([name, false])),
    ...retried.map((name) => /** @type {const} */ ([name, true])),
  ]
  const changed = outcomes.map(([name, outcome]) => [name, [...(record[name] ?? []), outcome].slice(-RUNS)])
  const next = Object.entries({ ...record, ...Object.fromEntries(changed) })
  return Object.fromEntries(next.filter(([, runs]) => runs.includes(true)))
}

/**
 * Lists the tests that needed a retry in more than one of their last ten runs.
 * @param {RetryRecord} record
 */
export function repeatedRetries(record) {
  const count = (/** @type {readonly boolean[]} */ runs) => runs.filter(Boolean).length
  return Object.keys(record).filter((name) => count(record[name] ?? []) > ALLOWED)
}

/** @returns {RetryRecord} */
export function readRetries() {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {}
}

/** @param {RetryRecord} record */
export function writeRetries(record) {
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(FILE, `${JSON.stringify(record, null, 2)}\n`)
}
