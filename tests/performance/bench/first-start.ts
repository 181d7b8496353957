import { once } from "node:events"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { spawnWithLifeline } from "../../../scripts/run/supervise.mjs"
import { copyProject } from "../../fixtures/project-copy"
import { freePort } from "../../support/server/free-port"

/** Milliseconds, for a busy machine. */
const STARTS_WITHIN = 300_000

/** Seconds of `npm start` in a clone whose packages are installed, until the first page: with the build. */
export async function firstStartSeconds(): Promise<number> {
  const project = copyProject()
  rmSync(join(project, "build"), { recursive: true })
  const port = await freePort()
  const began = performance.now()
  const child = spawnWithLifeline([join(project, "scripts", "commands", "start.mjs")], {
    cwd: project,
    env: { PATH: process.env.PATH, PORT: String(port), SANDBOX_PORT: String(await freePort()) },
    output: "pipe",
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => output.push(text))
  const ended = once(child, "close")
  try {
    while (!(await isServed(port))) {
      const isLate = performance.now() - began > STARTS_WITHIN
      if (isLate || child.exitCode !== null) throw new Error(`npm start has no page:\n${output.join("")}`)
      await pause(50)
    }
    return (performance.now() - began) / 1_000
  } finally {
    child.kill("SIGTERM")
    await ended
    rmSync(project, { recursive: true, force: true })
  }
}

async function isServed(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/checkout/`)).ok
  } catch {
    return false
  }
}
