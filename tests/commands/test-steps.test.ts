import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { deepStages, fitToMachine, packagesFor, stagesFor } from "../../scripts/run/test-steps.mjs"

const names = (stages: ReturnType<typeof stagesFor>) => stages.flat(2).map(({ name }) => name)
const steps = (stages: ReturnType<typeof stagesFor>, name: string) =>
  stages.flat(2).filter((step) => step.name === name)

test("npm test runs every check and both runners", () => {
  expect(names(stagesFor([]))).toEqual([
    "Route types",
    "Types",
    "Build",
    "Lint and format",
    "Unused code",
    "Unit, integration and database tests",
    "End-to-end tests",
  ])
})

test("every project of Vitest is run by npm test or by npm run test:deep", () => {
  const projects = readFileSync("vitest.config.ts", "utf8").matchAll(/\bname: "([\w-]+)"/g)
  const args = [...stagesFor([]), ...deepStages].flat(2).flatMap((step) => step.args)
  for (const [, name] of projects) expect(args).toContain(`--project=${name}`)
})

test("npm run check needs neither a database nor a browser", () => {
  expect(packagesFor(stagesFor(["--suite=check"]))).toEqual([])
})

test.each([
  ["promo", [], ["Unit, integration and database tests", "End-to-end tests"]],
  ["waiting", ["--suite=e2e"], ["End-to-end tests"]],
  ["promo", ["--suite=unit"], ["Unit tests"]],
])("the pattern %s is passed on with the arguments %j", (pattern, options, runners) => {
  const stages = stagesFor([...options, pattern])
  for (const name of runners) {
    const [step] = steps(stages, name)
    expect(step?.args.at(-1)).toBe(pattern)
    expect(step?.args.join(" ")).toMatch(/--passWithNoTests|--pass-with-no-tests/)
  }
  expect(names(stages)).not.toContain("Types")
})

test("--repeat and --title reach both runners in their own words", () => {
  const stages = stagesFor(["purchase", "--repeat=50", "--title=waiting page = order"])
  const [vitest] = steps(stages, "Unit, integration and database tests")
  expect(vitest?.args.slice(-3)).toEqual([
    "purchase",
    "--repeats=49",
    "--testNamePattern=waiting page = order",
  ])
  const [playwright] = steps(stages, "End-to-end tests")
  expect(playwright?.args.slice(-3)).toEqual(["purchase", "--repeat-each=50", "--grep=waiting page = order"])
})

test.each(["--repeat=0", "--repeat=", "--repeat=often"])("%s is rejected", (option) => {
  expect(() => stagesFor(["purchase", option])).toThrow("--repeat takes how often each test runs")
})

test("a pattern is rejected for a suite without tests", () => {
  expect(() => stagesFor(["--suite=lint", "promo"])).toThrow("takes no patterns")
})

test("no build runs for end-to-end tests that cannot run", () => {
  for (const args of [["--suite=e2e"], ["promo"]]) {
    const { stages } = fitToMachine(stagesFor(args), ["chromium-headless-shell"])
    expect(names(stages)).not.toContain("Build")
  }
})

test("an unknown suite is rejected with the list of suites", () => {
  expect(() => stagesFor(["--suite=all-of-it"])).toThrow(/Unknown suite "all-of-it": one of all, /)
})

test("without PostgreSQL the unit and integration tests run and the skipped steps are named", () => {
  const { stages, leftOut } = fitToMachine(stagesFor([]), ["postgresql"])
  expect(names(stages)).toContain("Unit and integration tests")
  expect(names(stages)).not.toContain("Unit, integration and database tests")
  const args = steps(stages, "Unit and integration tests")[0]?.args
  expect(args).toEqual(expect.arrayContaining(["--project=unit", "--project=integration"]))
  expect(names(stages)).toContain("End-to-end tests")
  expect(leftOut).toEqual([
    "Unit, integration and database tests but for the unit and integration tests (postgresql)",
    "End-to-end tests that need postgresql",
  ])
})

test("without PostgreSQL a pattern still picks unit tests", () => {
  const { stages } = fitToMachine(stagesFor(["promo"]), ["postgresql"])
  expect(steps(stages, "Unit and integration tests")[0]?.args.at(-1)).toBe("promo")
})

test("without Firefox and nginx the other end-to-end tests run and the partly skipped step is named", () => {
  const { stages, leftOut } = fitToMachine(stagesFor([]), ["firefox-esr", "nginx-light"])
  expect(stages).toEqual(stagesFor([]))
  expect(leftOut).toEqual([
    "End-to-end tests that need firefox-esr",
    "End-to-end tests that need nginx-light",
  ])
})

test("without Chromium everything but the end-to-end tests runs", () => {
  const { stages, leftOut } = fitToMachine(stagesFor([]), ["chromium-headless-shell"])
  expect(names(stages)).not.toContain("End-to-end tests")
  expect(names(stages)).toContain("Unit, integration and database tests")
  expect(leftOut).toEqual(["End-to-end tests (chromium-headless-shell)"])
})
