import { buildIsCurrent } from "../build/build-stamp.mjs"
import { CliError } from "../setup/cli-error.mjs"
import { tool } from "../setup/node-binary.mjs"
import { inProject } from "../setup/project-root.mjs"
import { reports } from "./test-reports.mjs"

/**
 * @typedef {import("./run-test-step.mjs").Step & Requirements} TestStep
 *
 * @typedef {object} Requirements
 * @property {"vitest" | "playwright"} [runner] of a step that runs tests, and can run some of them by a pattern
 * @property {readonly string[]} [needs] packages without which the step is left out
 * @property {readonly string[]} [usesPartly] packages that some of its tests need, which skip themselves without them
 * @property {TestStep} [fallback] step to run instead if a package of `needs` is missing
 *
 * @typedef {readonly (readonly TestStep[])[]} Stage concurrent lanes; the steps of a lane run sequentially, and
 *   the last one needs the others
 */

const typesCache = inProject("node_modules", ".cache", "types.tsbuildinfo")
const knipCache = inProject("node_modules", ".cache", "knip")

/**
 * @param {string} report
 * @param {string[]} projects
 */
const vitest = (report, ...projects) => [
  tool("vitest"),
  "run",
  ...projects.map((name) => `--project=${name}`),
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
]

/** @type {TestStep} */
const routeTypes = { name: "Route types", args: [tool("react-router"), "typegen"], quiet: true }
/** @type {TestStep} */
const types = {
  name: "Types",
  args: [tool("tsc"), "--incremental", "--tsBuildInfoFile", typesCache],
  quiet: true,
}
/** @type {TestStep} */
const lint = { name: "Lint and format", args: [tool("biome"), "ci", "--colors=off", "."], quiet: true }
/** @type {TestStep} */
const format = { name: "Format", args: [tool("biome"), "check", "--write", "."], quiet: true }
/** @type {TestStep} */
const unusedCode = {
  name: "Unused code",
  args: [tool("knip"), "--cache", "--cache-location", knipCache],
  quiet: true,
}
/** @type {TestStep} */
const unit = { name: "Unit tests", args: vitest(reports.vitest, "unit"), runner: "vitest" }
/** @type {TestStep} */
const integration = {
  name: "Integration tests",
  args: vitest(reports.vitest, "integration"),
  runner: "vitest",
}
/** @type {TestStep} */
const unitAndIntegration = {
  name: "Unit and integration tests",
  args: vitest(reports.vitest, "unit", "integration"),
  runner: "vitest",
}
/** @type {TestStep} */
const db = {
  name: "Database tests",
  args: vitest(reports.vitest, "db"),
  runner: "vitest",
  needs: ["postgresql"],
}
/** @type {TestStep} */
const unitIntegrationAndDb = {
  name: "Unit, integration and database tests",
  args: vitest(reports.vitest, "unit", "integration", "db"),
  runner: "vitest",
  needs: ["postgresql"],
  fallback: unitAndIntegration,
}
/** @type {TestStep} */
const build = { name: "Build", args: [inProject("scripts", "commands", "build.mjs")], quiet: true }
const endToEndPackages = {
  needs: ["chromium-headless-shell"],
  usesPartly: ["firefox-esr", "postgresql", "nginx-light", "pgbouncer"],
}
/** @type {TestStep} */
const e2e = {
  name: "End-to-end tests",
  args: [tool("playwright"), "test", "-c", "tests/e2e/playwright.config.ts"],
  runner: "playwright",
  ...endToEndPackages,
}
/** @type {TestStep} */
const deepVitest = {
  name: "Deep unit and database tests",
  // One retry, as in the configuration of the deep end-to-end tests.
  args: [...vitest(reports.vitestDeep, "deep"), "--retry=1"],
  runner: "vitest",
  needs: ["postgresql"],
}
/** @type {TestStep} */
const deepPlaywright = {
  name: "Deep end-to-end tests",
  args: [tool("playwright"), "test", "-c", "tests/e2e/playwright.deep.config.ts"],
  runner: "playwright",
  ...endToEndPackages,
  usesPartly: [...endToEndPackages.usesPartly, "webkit2gtk-driver", "xvfb"],
}
/** Stages of `npm run test:deep`, which are run in slices. */
export const deepStages = [[[deepVitest]], [[deepPlaywright]]]

export const buildIfNeeded = () => (buildIsCurrent() ? [] : [build])

/**
 * The suites that package.json names, as stages that run one after the other.
 * @type {Readonly<Record<string, () => Stage[]>>}
 */
const suites = {
  // Longest lanes first: on two cores, the short ones run next to the type check, which uses one core.
  all: () => [[[routeTypes, types], [build], [lint], [unusedCode]], [[unitIntegrationAndDb]], [[e2e]]],
  typecheck: () => [[[routeTypes, types]]],
  lint: () => [[[lint]]],
  format: () => [[[format]]],
  unit: () => [[[unit]]],
  integration: () => [[[integration]]],
  db: () => [[[db]]],
  e2e: () => [[[...buildIfNeeded(), e2e]]],
  check: () => [[[routeTypes, types], [lint], [unusedCode], [unit]]],
  // With patterns, `npm test` runs only the matching tests and none of the checks over the whole code.
  some: () => [[[unitIntegrationAndDb]], [[...buildIfNeeded(), e2e]]],
}

/**
 * Options of `npm test` that select or repeat tests, as the two runners call them.
 * @type {Readonly<Record<"vitest" | "playwright", Readonly<Record<string, (value: string) => string>>>>}
 */
const selectingOptions = {
  // Vitest counts the runs after the first one, Playwright all of them.
  vitest: {
    "--repeat": (times) => `--repeats=${Number(times) - 1}`,
    "--title": (title) => `--testNamePattern=${title}`,
  },
  playwright: {
    "--repeat": (times) => `--repeat-each=${times}`,
    "--title": (title) => `--grep=${title}`,
  },
}

/**
 * Returns the stages for the arguments of a command, for example `--suite=unit promo --repeat=50`.
 * @param {readonly string[]} args
 */
export function stagesFor(args) {
  const option = args.find((arg) => arg.startsWith("--suite="))
  const selection = args.filter((arg) => arg !== option)
  const name = option?.slice("--suite=".length) ?? (selection.length > 0 ? "some" : "all")
  const suite = suites[name]
  if (!suite) throw new CliError(`Unknown suite "${name}": one of ${Object.keys(suites).join(", ")}`)
  return withSelection(suite(), selection)
}

/**
 * @param {readonly Stage[]} stages
 * @param {readonly string[]} selection patterns and options
 * @returns {readonly Stage[]}
 */
function withSelection(stages, selection) {
  if (selection.length === 0) return stages
  if (!stagesHaveTests(stages))
    throw new CliError(`This command takes no patterns, since it runs no tests: ${selection.join(" ")}`)
  const repeat = selection.find((arg) => arg.startsWith("--repeat="))
  if (repeat && !/^--repeat=[1-9]\d*$/.test(repeat))
    throw new CliError(`--repeat takes how often each test runs, such as --repeat=50: ${repeat}`)
  return mapSteps(stages, (step) => selectInStep(step, selection))
}

/**
 * @param {TestStep} step
 * @param {readonly string[]} selection
 * @returns {TestStep}
 */
function selectInStep(step, selection) {
  if (!step.runner) return step
  const translate = selectingOptions[step.runner]
  const own = selection.map((arg) => {
    const [name = "", ...value] = arg.split("=")
    return translate[name]?.(value.join("=")) ?? arg
  })
  // A pattern that matches tests of one runner may match none of the other.
  const allowNone = step.runner === "vitest" ? "--passWithNoTests" : "--pass-with-no-tests"
  const args = [...step.args, allowNone, ...own]
  if (!step.fallback) return { ...step, args }
  return { ...step, args, fallback: selectInStep(step.fallback, selection) }
}

/** @param {readonly Stage[]} stages */
export const stagesHaveTests = (stages) => stages.flat(2).some(({ runner }) => runner)

/**
 * All packages that the tests of these stages use.
 * @param {readonly Stage[]} stages
 */
export const packagesFor = (stages) =>
  stages.flat(2).flatMap(({ needs = [], usesPartly = [] }) => [...needs, ...usesPartly])

/**
 * Returns the stages without the steps that need a missing package, and the names of the skipped ones.
 * @param {readonly Stage[]} stages
 * @param {readonly string[]} missing
 * @returns {{ stages: readonly Stage[], leftOut: string[] }}
 */
export function fitToMachine(stages, missing) {
  /** @type {string[]} */
  const leftOut = []
  const fitted = mapSteps(stages, (step) => {
    const fit = fitStep(step, missing)
    leftOut.push(...fit.leftOut)
    return fit.step
  })
  return { stages: fitted, leftOut }
}

/**
 * @param {TestStep} step
 * @param {readonly string[]} missing
 * @returns {{ step: TestStep | null, leftOut: string[] }}
 */
function fitStep(step, missing) {
  const { name, needs = [], usesPartly = [], fallback = null } = step
  const absent = needs.filter((it) => missing.includes(it))
  if (absent.length > 0) {
    const leftOut = fallback ? `${name} but for the ${fallback.name.toLowerCase()}` : name
    return { step: fallback, leftOut: [`${leftOut} (${absent.join(", ")})`] }
  }
  const skipped = usesPartly.filter((it) => missing.includes(it))
  return { step, leftOut: skipped.map((it) => `${name} that need ${it}`) }
}

/**
 * @param {readonly Stage[]} stages
 * @param {(step: TestStep) => TestStep | null} change null: without this step; a lane is left out with its last one
 * @returns {readonly Stage[]}
 */
function mapSteps(stages, change) {
  return stages.map((lanes) => {
    const changed = lanes.map((lane) => lane.map(change))
    const remaining = changed.filter((lane) => lane.at(-1) !== null)
    return remaining.map((lane) => lane.filter((step) => step !== null))
  })
}
