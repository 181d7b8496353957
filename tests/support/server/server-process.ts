import type { ChildProcess } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { spawnWithLifeline } from "../../../scripts/run/supervise.mjs"
import { serverNodeOptions, serverProgram } from "../../../scripts/setup/prepare.mjs"
import { temporaryFolder } from "../temporary-folder"
import { freePort } from "./free-port"

/** Milliseconds. Bounds a start that never ends: on a busy machine `npm run dev` prepares packages for half a minute. */
const STARTS_WITHIN = 90_000
const STOPS_WITHIN = 20_000

type LogLine = { readonly [field: string]: unknown }

/** The built server as a process of its own, run as in production. */
export type TestServer = {
  /** `http://127.0.0.1:PORT` without a path; unchanged after a restart. */
  readonly url: string
  readonly sandboxUrl: string
  /** Where the shop's own sandbox shows the mail that the shop has sent. */
  readonly mailboxUrl: string
  readonly dataDir: string
  /** Process id while it runs. */
  pid(): number | undefined
  /** Exit code if it has ended on its own; null while it runs. */
  exitCode(): number | null
  /** Log lines of all its starts. */
  logLines(): LogLine[]
  /** Standard output and standard error of all its starts. */
  output(): string
  /**
   * Stops it like an operator (SIGTERM) and returns its exit code; throws if it does not stop. Temporary data are
   * deleted.
   */
  stop(): Promise<number | null>
  /** Kills it like a power loss (SIGKILL). */
  kill9(): Promise<void>
  /** Starts it again on the same data and ports; stops it first if it runs. */
  restart(): Promise<void>
}

/**
 * `program`: another build than the current one. `isDurable`: a commit waits for the disk, as in production; for
 * measurements.
 */
type Options = { env?: Record<string, string>; dataDir?: string; program?: string; isDurable?: boolean }

/** Starts a shop with its own data on free ports, unless `env` names some, and waits until it is healthy. */
export async function startShop({
  env = {},
  dataDir,
  program = serverProgram,
  isDurable = false,
}: Options = {}): Promise<TestServer> {
  const port = env.PORT ?? (await freePort())
  const sandboxPort = env.SANDBOX_PORT ?? (await freePort())
  const folder = dataDir ?? (isDurable ? mkdtempSync(join(tmpdir(), "boxoffice-")) : temporaryFolder())
  const url = `http://127.0.0.1:${port}`
  const written: string[] = []
  // The tester's own environment is not inherited: its settings would change what is tested.
  const environment = {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATA_DIR: folder,
    ...env,
  }
  const start = () => startProcess(program, { env: environment, written, url })
  let running = await start()

  return {
    url,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    mailboxUrl: `http://127.0.0.1:${sandboxPort}/mailbox`,
    dataDir: folder,
    pid: () => running.pid,
    exitCode: () => running.exitCode,
    logLines: () => written.join("").split("\n").flatMap(logLine),
    output: () => written.join(""),
    async stop() {
      const exitCode = await end(running, "SIGTERM")
      if (!dataDir) rmSync(folder, { recursive: true, force: true })
      return exitCode
    },
    kill9: async () => void (await end(running, "SIGKILL")),
    async restart() {
      await end(running, "SIGTERM")
      running = await start()
    },
  }
}

type Start = { env: NodeJS.ProcessEnv; written: string[]; url: string }

async function startProcess(program: string, { env, written, url }: Start): Promise<ChildProcess> {
  if (!existsSync(program)) throw new Error("There is no build to start. Run: npm run build")
  const child = spawnWithLifeline([...serverNodeOptions, program], { env, output: "pipe" })
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding("utf8").on("data", (text: string) => written.push(text))
  }
  const deadline = Date.now() + STARTS_WITHIN
  while (!(await isWell(url))) {
    if (hasEnded(child)) throw new Error(`The server ended while starting:\n${written.join("")}`)
    if (Date.now() > deadline) {
      await end(child, "SIGKILL")
      throw new Error(`The server is not well after ${STARTS_WITHIN} ms:\n${written.join("")}`)
    }
    await pause(50)
  }
  return child
}

async function isWell(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/checkout/api/health`, { signal: AbortSignal.timeout(5_000) })).ok
  } catch {
    return false
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (hasEnded(child)) return child.exitCode
  // "close" and not "exit": only then has all output been read.
  const ended = new Promise<"ended">((resolve) => child.once("close", () => resolve("ended")))
  child.kill(signal)
  const outcome = await Promise.race([ended, pause(STOPS_WITHIN, "late" as const, { ref: false })])
  if (outcome === "ended") return child.exitCode
  child.kill("SIGKILL")
  await ended
  throw new Error(`The server did not stop within ${STOPS_WITHIN} ms of ${signal}`)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Other lines (URLs, a crash) are in `output`. */
function logLine(text: string): LogLine[] {
  if (!text.startsWith("{")) return []
  const parsed: LogLine = JSON.parse(text)
  return [parsed]
}
