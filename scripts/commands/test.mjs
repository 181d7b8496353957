import { buildIsCurrent } from "../build/build-stamp.mjs"
import { runStep, stopStepsOnSignals } from "../run/run-test-step.mjs"
import { countTests, forgetReports, reports } from "../run/test-counts.mjs"
import { CliError, runCli } from "../setup/cli-error.mjs"
import { installDependencies } from "../setup/install-dependencies.mjs"
import { installCommand, installSystemPrograms } from "../setup/install-system-packages.mjs"
import { tool } from "../setup/node-binary.mjs"
import { inProject } from "../setup/project-root.mjs"

/** @typedef {import("../run/run-test-step.mjs").Step & { needs?: readonly string[], takesPatterns?: true }} Step needs: Debian packages; takesPatterns: can run a part of its tests */

const unitReport = ["--reporter=default", "--reporter=json", `--outputFile.json=${reports.unit}`]

/** @type {Step} */
const routeTypes = { name: "Route types", words: [tool("react-router"), "typegen"], quiet: true }
/** @type {Step} */
const types = { name: "Types", words: [tool("tsc")], quiet: true }
/** @type {Step} */
const lint = { name: "Lint and format", words: [tool("biome"), "ci", "--colors=off", "."], quiet: true }
/** @type {Step} */
const unusedCode = { name: "Unused code", words: [tool("knip")], quiet: true }
/** @type {Step} */
const unit = {
  name: "Unit tests",
  words: [tool("vitest"), "run", "--project=unit", "--project=whmcs-encoded", ...unitReport],
  takesPatterns: true,
}
/** @type {Step} */
const db = {
  name: "Tests on databases",
  words: [tool("vitest"), "run", "--project=db", ...unitReport],
  needs: ["postgresql"],
  takesPatterns: true,
}
/** @type {Step} */
const unitAndDb = {
  name: "Unit and contract tests",
  words: [tool("vitest"), "run", ...unitReport],
  needs: ["postgresql"],
  takesPatterns: true,
}
/** @type {Step} */
const build = { name: "Build", words: [inProject("scripts", "commands", "build.mjs")] }
/** @type {Step} */
const e2e = {
  name: "End-to-end tests",
  words: [tool("playwright"), "test", "-c", "tests/e2e/playwright.config.ts"],
  needs: ["chromium", "firefox-esr", "postgresql", "nginx-light"],
  takesPatterns: true,
}

/**
 * What package.json names: stages one after the other; the steps of a stage side by side.
 * @type {Readonly<Record<string, () => Step[][]>>}
 */
const suites = {
  all: () => [[routeTypes], [types, lint, unusedCode], [unitAndDb], [build], [e2e]],
  typecheck: () => [[routeTypes], [types]],
  lint: () => [[lint]],
  format: () => [[{ name: "Format", words: [tool("biome"), "check", "--write", "."], quiet: true }]],
  unit: () => [[unit]],
  db: () => [[db]],
  e2e: () => [...(buildIsCurrent() ? [] : [[build]]), [e2e]],
  check: () => [[routeTypes], [types, lint, unusedCode], [unit]],
  // Some tests by their names: what checks all of the code at once would only be waited for.
  some: () => [[unitAndDb], ...(buildIsCurrent() ? [] : [[build]]), [e2e]],
}

/**
 * The suite and the patterns that pick tests of it: `--suite=unit promo`.
 * @param {string[]} words
 */
function parseArguments(words) {
  const named = words.find((word) => word.startsWith("--suite="))
  const patterns = words.filter((word) => word !== named)
  const name = named?.slice("--suite=".length) ?? (patterns.length > 0 ? "some" : "all")
  const suite = suites[name]
  if (!suite) throw new CliError(`There is no suite "${name}": ${Object.keys(suites).join(", ")}`)
  return { suite, patterns }
}

/**
 * @param {Step[][]} stages
 * @param {string[]} patterns
 */
function withPatterns(stages, patterns) {
  if (patterns.length === 0) return stages
  const picked = stages.flat().some(({ takesPatterns }) => takesPatterns)
  if (!picked) throw new CliError(`These checks cannot be picked by a pattern: ${patterns.join(" ")}`)
  // A pattern that picks tests of one runner need not pick any of the other.
  const none = { vitest: "--passWithNoTests", playwright: "--pass-with-no-tests" }
  return stages.map((stage) =>
    stage.map((step) => {
      if (!step.takesPatterns) return step
      const flag = step.words[0] === tool("vitest") ? none.vitest : none.playwright
      return { ...step, words: [...step.words, flag, ...patterns] }
    }),
  )
}

/**
 * Up to the first stage in which something fails; without the steps whose programs are missing.
 * @param {Step[][]} stages
 * @param {readonly string[]} missing
 */
async function runStages(stages, missing) {
  for (const stage of stages) {
    const results = await Promise.all(stage.filter((step) => canRun(step, missing)).map(runStep))
    if (results.includes(false)) return false
  }
  return true
}

/**
 * @param {Step} step
 * @param {readonly string[]} missing
 */
const canRun = ({ needs = [] }, missing) => !needs.some((name) => missing.includes(name))

/**
 * @param {Step[][]} stages
 * @param {readonly string[]} missing
 */
function tellLeftOut(stages, missing) {
  const leftOut = stages.flat().filter((step) => !canRun(step, missing))
  if (leftOut.length === 0) return
  const names = leftOut.map(({ name }) => name).join(", ")
  console.log(
    `\nLeft out: ${names}, for want of ${missing.join(", ")}. To install: ${installCommand(missing)}`,
  )
}

await runCli(async () => {
  const began = performance.now()
  const { suite, patterns } = parseArguments(process.argv.slice(2))
  await installDependencies()
  const stages = withPatterns(suite(), patterns)
  const missing = await installSystemPrograms(stages.flat().flatMap(({ needs = [] }) => needs))
  forgetReports()
  stopStepsOnSignals()
  const wentWell = await runStages(stages, missing)
  tellLeftOut(stages, missing)
  const { passed, failed, again } = countTests()
  if (again > 0) console.log(`\n${again} went well only when tried again: the runner names them as flaky`)
  console.log(`\n${Math.round((performance.now() - began) / 1_000)} s in all`)
  // A check that fails before any test is a failure too: "0 failed" would be read as success.
  if (stages.flat().some(({ takesPatterns }) => takesPatterns))
    console.log(`${passed} passed, ${wentWell ? failed : Math.max(failed, 1)} failed`)
  return wentWell ? 0 : 1
})
