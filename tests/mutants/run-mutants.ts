import { spawn } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { projectNode, tool } from "../../scripts/setup/node-binary.mjs"
import { inProject, projectFolder } from "../../scripts/setup/project-root.mjs"
import { type Mutant, mutants } from "./mutants"

/** In the project's own folder, so that its packages are found; git does not know it. */
const COPY = inProject("test-results", "mutants")

type Print = (line: string) => void

/** Breaks one rule after the other in a copy of the sources, and answers how many went unnoticed by the tests. */
export async function runMutants(pattern: RegExp, print: Print): Promise<number> {
  await copySources()
  const survivors: Mutant[] = []
  for (const mutant of mutants.filter(({ rule, file }) => pattern.test(rule) || pattern.test(file))) {
    const before = performance.now()
    const killed = await isKilled(mutant)
    if (!killed) survivors.push(mutant)
    const seconds = ((performance.now() - before) / 1_000).toFixed(0)
    print(`${killed ? "killed  " : "SURVIVED"} ${seconds.padStart(4)} s  ${mutant.rule} (${mutant.file})`)
  }
  rmSync(COPY, { recursive: true, force: true })
  return survivors.length
}

async function copySources(): Promise<void> {
  rmSync(COPY, { recursive: true, force: true })
  const { output } = await run(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard"],
    projectFolder,
  )
  for (const file of output.split("\n").filter(Boolean)) {
    mkdirSync(dirname(join(COPY, file)), { recursive: true })
    cpSync(inProject(file), join(COPY, file))
  }
}

/** The tests of the rule first, which is quick; what they let through must not pass all that depends on the file. */
async function isKilled({ file, find, replace, tests }: Mutant): Promise<boolean> {
  const path = join(COPY, file)
  const sound = readFileSync(path, "utf8")
  writeFileSync(
    path,
    sound.replace(find, () => replace),
  )
  try {
    return !(await passes(["run", ...tests])) || !(await passes(["related", "--run", file]))
  } finally {
    writeFileSync(path, sound)
  }
}

async function passes(words: readonly string[]): Promise<boolean> {
  const options = ["--bail=1", "--reporter=dot", "--passWithNoTests"]
  const { code, output } = await run(projectNode(), [tool("vitest"), ...words, ...options], COPY)
  if (/No test files found/.test(output)) throw new Error(`No tests: vitest ${words.join(" ")}`)
  return code === 0
}

function run(
  program: string,
  words: readonly string[],
  cwd: string,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, words, { cwd, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, output }))
  })
}
