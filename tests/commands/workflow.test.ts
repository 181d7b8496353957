import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { z } from "zod"
import { RETRY_RECORD } from "../../scripts/run/retry-record.mjs"

const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
})
const Job = z.object({
  "runs-on": z.string(),
  "timeout-minutes": z.number(),
  permissions: z.never().optional(),
  steps: z.array(Step),
})
const Workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), Job),
})

const text = readFileSync(".github/workflows/test.yml", "utf8")
const { permissions, jobs } = Workflow.parse(parse(text, { strict: true, uniqueKeys: true }))
const steps = Object.values(jobs).flatMap((job) => job.steps)
const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts

test("the workflow runs npm test on Linux and macOS, and the deep tests", () => {
  const runs = (name: string) => jobs[name]?.steps.flatMap(({ run = [] }) => run)
  expect(runs("linux")).toEqual(["npm test"])
  expect(runs("macos")).toEqual(["npm test"])
  expect(jobs.macos?.["runs-on"]).toBe("macos-latest")
  expect(runs("deep")).toEqual(["npm run test:deep"])
})

test("the workflow calls only scripts that package.json has, whose programs exist", () => {
  const names = steps.flatMap(({ run = [] }) => run).map((run) => run.replace(/^npm (run )?/, ""))
  for (const name of names) {
    const [, program = ""] = /^exec node (\S+)/.exec(scripts[name] ?? "") ?? []
    expect(existsSync(program), `${name} runs ${program}`).toBe(true)
  }
})

test("the workflow has read permission only, and every action is pinned by commit", () => {
  expect(permissions).toEqual({ contents: "read" })
  for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[\w/-]+@[0-9a-f]{40}$/)
  const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"))
  for (const checkout of checkouts) expect(checkout.with).toEqual({ "persist-credentials": false })
})

test("the record of retries is carried from one run to the next, even if the run fails", () => {
  const paths = steps.filter(({ uses }) => uses?.startsWith("actions/cache/")).map((step) => step.with?.path)
  expect(paths).toEqual([RETRY_RECORD, RETRY_RECORD])
  expect(text).toMatch(/actions\/cache\/save@.*\n\s+if: always\(\)/)
})
