import { once } from "node:events"
import { projectFolder } from "../setup/project-root.mjs"
import { killLeftoverProcesses, mark } from "./kill-leftover-processes.mjs"
import { spawnWithLifeline } from "./spawn-child.mjs"

/**
 * @typedef {{ name: string, words: string[], quiet?: boolean }} Step a program and its arguments; quiet: its output
 *   is shown in one piece at the end, so that steps that run side by side can be read
 */

/** As shells count. */
const exitCodes = /** @type {const} */ ([
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
])

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set()

/**
 * Runs a step to its end, tells its name and time, and ends what it has left running.
 * @param {Step} step
 * @returns {Promise<boolean>} whether it went well
 */
export async function runStep({ name, words, quiet = false }) {
  const began = performance.now()
  if (!quiet) console.log(`\n▸ ${name}`)
  const { code, said } = await runProgram(words, quiet)
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(`${code === 0 ? "✓" : "✗"} ${name} (${seconds} s)`)
  if (code !== 0 && said) console.log(said)
  return code === 0
}

/**
 * @param {string[]} words
 * @param {boolean} quiet
 * @returns {Promise<{ code: number | null, said: string }>}
 */
function runProgram(words, quiet) {
  const output = quiet ? "pipe" : "inherit"
  // A process group of its own can be ended as a whole.
  const child = spawnWithLifeline(words, {
    cwd: projectFolder,
    env: { ...process.env, NODE_ENV: undefined, ...mark },
    output,
    detached: true,
  })
  running.add(child)
  let said = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      said += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", () => signalGroup(child, "SIGKILL"))
    child.once("close", (code) => {
      running.delete(child)
      resolve({ code, said })
    })
  })
}

/** Told to stop: whatever runs is told as well, and what does not listen is ended. Then this process ends. */
export function stopStepsOnSignals() {
  let stopping = false
  for (const [signal, code] of exitCodes) {
    // Not `once`: Ctrl-C comes from the terminal and from npm, and the second must not end the tidying up.
    process.on(signal, async () => {
      if (stopping) return
      stopping = true
      const ended = [...running].map((child) => once(child, "close"))
      for (const child of running) signalGroup(child, "SIGTERM")
      const patience = setTimeout(endEverything, 5_000)
      await Promise.all(ended)
      clearTimeout(patience)
      process.exit(code)
    })
  }
  process.once("exit", endEverything)
}

function endEverything() {
  for (const child of running) signalGroup(child, "SIGKILL")
  killLeftoverProcesses()
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup({ pid }, signal) {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody of the group is left.
  }
}
