import { expect, test } from "vitest"
import { parsePlaywrightReport, parseVitestReport, printFailures } from "../../scripts/run/test-reports.mjs"
import { inProject } from "../../scripts/setup/project-root.mjs"

test("Vitest's report is counted, and a passed test with failure messages counts as retried", () => {
  const report = parseVitestReport({
    testResults: [
      {
        name: inProject("tests", "fuzz.deep.test.ts"),
        assertionResults: [
          { status: "passed", ancestorTitles: [], title: "holds", failureMessages: [] },
          {
            status: "passed",
            ancestorTitles: ["after a restart"],
            title: "holds",
            failureMessages: ["Error: late\n    at x"],
          },
          { status: "failed", ancestorTitles: [], title: "breaks", failureMessages: ["Error: broken"] },
          {
            status: "failed",
            ancestorTitles: [],
            title: "breaks twice of fifty",
            failureMessages: ["Error: first\n    at x", "Error: second"],
          },
          { status: "skipped", ancestorTitles: [], title: "waits", failureMessages: [] },
        ],
      },
    ],
  })
  expect(report).toEqual({
    passed: 2,
    failures: [
      { name: "tests/fuzz.deep.test.ts › breaks", message: "Error: broken" },
      {
        name: "tests/fuzz.deep.test.ts › breaks twice of fifty",
        message: "Error: first (failures in all: 2)",
      },
    ],
    names: ["tests/fuzz.deep.test.ts › holds"],
    retried: [{ name: "tests/fuzz.deep.test.ts › after a restart › holds", evidence: "Error: late" }],
    notRun: [],
  })
})

test("Playwright's report is counted by project, with the trace of each retry", () => {
  const trace = { name: "trace", path: inProject("test-results", "e2e-deep", "pays-retry1", "trace.zip") }
  const spec = (title: string, status: string, statuses: readonly string[]) => ({
    title,
    file: "journeys/purchase.spec.ts",
    line: 1,
    tests: [
      {
        projectName: "whmcs",
        status,
        results: statuses.map((it, retry) => ({
          status: it,
          retry,
          errors: it === "failed" ? [{ message: "Error: no button\n  at x" }] : [],
          attachments: retry > 0 ? [trace] : [],
        })),
      },
    ],
  })
  const report = parsePlaywrightReport({
    suites: [
      {
        title: "journeys/purchase.spec.ts",
        specs: [
          spec("pays", "flaky", ["failed", "passed"]),
          spec("renews", "expected", ["passed"]),
          spec("fails", "unexpected", ["failed", "timedOut"]),
          spec("needs nginx", "skipped", ["skipped"]),
          spec("was running at the deadline", "skipped", ["interrupted"]),
        ],
        suites: [{ title: "without JavaScript", specs: [spec("never began", "skipped", [])] }],
      },
    ],
  })
  const file = "whmcs › journeys/purchase.spec.ts"
  expect(report).toEqual({
    passed: 2,
    failures: [{ name: `${file} › fails`, message: "Error: no button" }],
    names: [`${file} › renews`],
    retried: [{ name: `${file} › pays`, evidence: "test-results/e2e-deep/pays-retry1/trace.zip" }],
    notRun: [`${file} › was running at the deadline`, `${file} › without JavaScript › never began`],
  })
})

test("failed tests are printed by name at the end of a run", () => {
  const printed: string[] = []
  printFailures([{ name: "embedded › purchase.spec.ts › pays", message: "Error: no button" }], (line) =>
    printed.push(line),
  )
  expect(printed).toEqual(["\nFailed:", "  embedded › purchase.spec.ts › pays\n    Error: no button"])
})

test("nothing is printed when no test has failed", () => {
  const printed: string[] = []
  printFailures([], (line) => printed.push(line))
  expect(printed).toEqual([])
})
