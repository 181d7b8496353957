import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, expect, test } from "vitest"
import { projectNode } from "../../scripts/setup/node-binary.mjs"
import { inProject } from "../../scripts/setup/project-root.mjs"

const SUPERVISE = pathToFileURL(inProject("scripts", "run", "supervise.mjs")).href

/** A program that prints its process id, writes how it ended to a file, and runs until it is ended. */
const CHILD = `
import { writeFileSync } from "node:fs"
const [, , file] = process.argv
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
  process.once(signal, () => { writeFileSync(file, signal); process.exit(7) })
setInterval(() => {}, 1_000)
console.log(process.pid)
`

let folder: string
let parent: ChildProcess | null = null
let childId = 0
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-supervise-"))
  writeFileSync(join(folder, "child.mjs"), CHILD)
})
afterEach(() => {
  parent?.kill("SIGKILL")
  if (isRunning(childId)) process.kill(childId, "SIGKILL")
  rmSync(folder, { recursive: true })
})

/** Starts a script of the project that starts the child by `expression`; resolves once the child runs. */
async function startParent(expression: string, env: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const file = join(folder, "parent.mjs")
  const args = JSON.stringify([join(folder, "child.mjs"), join(folder, "ended")])
  writeFileSync(
    file,
    `import * as supervise from ${JSON.stringify(SUPERVISE)}\nconst args = ${args}\n${expression}\n`,
  )
  const { npm_lifecycle_event: _, ...others } = process.env
  const started = spawn(projectNode(), [file], {
    env: { ...others, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  parent = started
  const [line] = await once(started.stdout, "data")
  childId = Number(line)
  return started
}

function isRunning(id: number): boolean {
  try {
    return id > 0 && process.kill(id, 0)
  } catch {
    return false
  }
}

const spawned = `supervise.spawnWithLifeline(args, { env: process.env, output: "inherit" })`
const foreground = `process.exitCode = await supervise.runForeground(args, {})`

test.each([
  ["spawnWithLifeline", spawned],
  ["runForeground", foreground],
])("kill -9 of the parent leaves nothing: a program started by %s ends", async (_, expression) => {
  const started = await startParent(expression)
  expect(isRunning(childId)).toBe(true)
  started.kill("SIGKILL")
  await once(started, "exit")
  await expect.poll(() => isRunning(childId), { timeout: 10_000 }).toBe(false)
})

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "runForeground forwards %s to the program, waits for it and takes over its exit code",
  async (signal) => {
    const started = await startParent(foreground)
    started.kill(signal)
    const [code] = await once(started, "exit")
    expect(code).toBe(7)
    expect(isRunning(childId)).toBe(false)
  },
)

test("a program that a signal ends gives 128 and the signal's number, as shells count", async () => {
  const started = await startParent(foreground)
  process.kill(childId, "SIGKILL")
  const [code] = await once(started, "exit")
  expect(code).toBe(137)
})

test("under npm a script ends with its caller, and its program with it", async () => {
  const shell = `const { spawn } = await import("node:child_process")
const inner = "import * as supervise from ${SUPERVISE};\\nawait supervise.runCli(() => supervise.runForeground(" + JSON.stringify(args) + ", {}))"
spawn(process.execPath, ["--input-type=module", "-e", inner.replace(/from (\\S+);/, 'from "$1";')], { stdio: "inherit" })`
  const started = await startParent(shell, { npm_lifecycle_event: "start" })
  expect(isRunning(childId)).toBe(true)
  started.kill("SIGKILL")
  await expect.poll(() => isRunning(childId), { timeout: 10_000 }).toBe(false)
})

test.runIf(process.platform === "linux")(
  "killLeftoverProcesses kills a program of the run that has left its process group",
  async () => {
    const started = await startParent(
      `const { spawn } = await import("node:child_process")
spawn(process.execPath, args, { env: { ...process.env, ...supervise.mark }, stdio: "inherit", detached: true }).unref()
process.once("SIGTERM", () => { supervise.killLeftoverProcesses(); process.exit() })
setInterval(() => {}, 1_000)`,
    )
    expect(isRunning(childId)).toBe(true)
    started.kill("SIGTERM")
    await once(started, "exit")
    await expect.poll(() => isRunning(childId), { timeout: 10_000 }).toBe(false)
  },
)
