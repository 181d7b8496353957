import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { spawnWithLifeline } from "../../scripts/run/supervise.mjs"
import { tool } from "../../scripts/setup/node-binary.mjs"
import { inProject, projectFolder } from "../../scripts/setup/project-root.mjs"
import { type Mutant, mutants } from "./mutants"

/** Inside the project, so that a copy resolves its packages; ignored by Git. */
const COPIES = inProject("test-results")

type Print = (line: string) => void

/**
 * Breaks one rule after the other in a copy of the sources and prints the test that fails with each. Returns the number
 * of mutants that no test detects. Throws if the tests fail without a mutant.
 */
export async function runMutants(pattern: RegExp, print: Print): Promise<number> {
  const chosen = mutants.filter(({ rule, file }) => pattern.test(rule) || pattern.test(file))
  const copy = copySources()
  let survivors = 0
  await checkSoundSources(copy, chosen)
  for (const mutant of chosen) {
    const before = performance.now()
    const failure = await failureWith(copy, mutant)
    if (failure === null) survivors++
    const seconds = ((performance.now() - before) / 1_000).toFixed(0)
    const verdict = failure === null ? "SURVIVED" : "killed  "
    print(`${verdict} ${seconds.padStart(4)} s  ${mutant.rule} (${mutant.file})`)
    if (failure !== null) print(`                 by ${failure}`)
  }
  return survivors
}

/** Throws if a test fails without a mutant: such a test would seem to detect every one. */
async function checkSoundSources(copy: string, chosen: readonly Mutant[]): Promise<void> {
  const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))]
  const failure = tests.length > 0 ? await steadyFailure(copy, ["run", ...tests]) : null
  if (failure !== null) throw new Error(`Fails without a mutant: ${failure}`)
}

/**
 * Creates a copy of the sources for this run, so that concurrent runs do not interfere, and returns its folder. The
 * copy is removed when this process ends, also by a signal.
 */
function copySources(): string {
  mkdirSync(COPIES, { recursive: true })
  const copy = mkdtempSync(join(COPIES, "mutants-"))
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }))
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1))
  const tracked = ["ls-files", "--cached", "--others", "--exclude-standard"]
  const files = execFileSync("git", tracked, { cwd: projectFolder, encoding: "utf8" })
  for (const file of files.split("\n").filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(inProject(file), join(copy, file))
  }
  return copy
}

/** Runs the rule's tests first, which is fast; if they pass, runs all tests that depend on the file. */
async function failureWith(copy: string, { file, find, replace, tests }: Mutant): Promise<string | null> {
  const path = join(copy, file)
  const unmutated = readFileSync(path, "utf8")
  writeFileSync(
    path,
    unmutated.replace(find, () => replace),
  )
  try {
    return (
      (await steadyFailure(copy, ["run", ...tests])) ??
      (await steadyFailure(copy, ["related", "--run", file]))
    )
  } finally {
    writeFileSync(path, unmutated)
  }
}

/** Returns a failure only if the test fails twice: a single failure may be caused by load. */
async function steadyFailure(copy: string, args: readonly string[]): Promise<string | null> {
  for (let attempts = 0; attempts < 3; attempts++) {
    const failure = await firstFailure(copy, args)
    if (failure === null || (await failsAgain(copy, failure))) return failure
  }
  return null
}

/** A title is "|project| file > suite > test"; for a failure outside a test it is the file only. */
async function failsAgain(copy: string, title: string): Promise<boolean> {
  const [, file = "", test] = /^\|\w+\| (\S+)(?: > (?:.* > )?(.*))?/.exec(title) ?? []
  const pattern = test?.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  return (await firstFailure(copy, ["run", file, ...(pattern ? ["-t", pattern] : [])])) !== null
}

/** Returns the title of the first failing test, or null. */
async function firstFailure(copy: string, args: readonly string[]): Promise<string | null> {
  const options = [
    "--project=unit",
    "--project=integration",
    "--project=db",
    "--bail=1",
    "--reporter=dot",
    "--passWithNoTests",
    "--no-color",
  ]
  const { code: exitCode, output } = await run([tool("vitest"), ...args, ...options], copy)
  if (/No test files found/.test(output)) throw new Error(`No tests: vitest ${args.join(" ")}`)
  if (exitCode === 0) return null
  const [, title] = /^ *FAIL +(.+)$/m.exec(output) ?? []
  return title ?? "a run that ended with an error"
}

function run(args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  const child = spawnWithLifeline(args, { cwd, env: process.env, output: "pipe" })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, output }))
  })
}
