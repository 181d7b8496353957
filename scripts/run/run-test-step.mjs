import { once } from "node:events"
import { projectFolder } from "../setup/project-root.mjs"
import { killLeftoverProcesses, mark, signalExitCode, signalGroup, spawnWithLifeline } from "./supervise.mjs"

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} args a program and its arguments
 * @property {boolean} [quiet] prints its output at the end, so that the output of concurrent steps is not
 *   interleaved
 *
 * @typedef {object} StepResult
 * @property {string} name
 * @property {number} seconds
 * @property {boolean} ok
 * @property {boolean} isInterrupted the deadline came first
 */

const SIGNALS = /** @type {const} */ (["SIGHUP", "SIGINT", "SIGTERM"])

/** Milliseconds that a step has after its deadline to stop its servers and to write its report. */
const GRACE = 30_000

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set()

/**
 * Runs a step, prints its name and duration, and kills the processes that it leaves behind.
 * @param {Step} step
 * @param {number} [deadline] on the clock of `performance.now()`; at this time the step is interrupted
 * @returns {Promise<StepResult>}
 */
export async function runStep({ name, args, quiet = false }, deadline = Number.POSITIVE_INFINITY) {
  const began = performance.now()
  if (!quiet) console.log(`\n▸ ${name}`)
  const { code, output, isInterrupted } = await runProgram(args, { quiet, deadline })
  const seconds = (performance.now() - began) / 1_000
  const ok = code === 0 && !isInterrupted
  console.log(`${markOf(ok, isInterrupted)} ${name} (${seconds.toFixed(1)} s)`)
  if (!ok && output) console.log(output)
  return { name, seconds, ok, isInterrupted }
}

/**
 * @param {boolean} ok
 * @param {boolean} isInterrupted
 */
function markOf(ok, isInterrupted) {
  if (isInterrupted) return "– Interrupted, since the time is over:"
  return ok ? "✓" : "✗"
}

/**
 * @param {string[]} args
 * @param {{ quiet: boolean, deadline: number }} options
 * @returns {Promise<{ code: number | null, output: string, isInterrupted: boolean }>}
 */
function runProgram(args, { quiet, deadline }) {
  // A process group of its own can be signalled as a whole.
  const child = spawnWithLifeline(args, {
    cwd: projectFolder,
    env: { ...process.env, NODE_ENV: undefined, ...mark },
    output: quiet ? "pipe" : "inherit",
    detached: true,
  })
  running.add(child)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      output += text
    })
  }
  const timer = interruptAt(deadline, child)
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", () => {
      timer.cancel()
      signalGroup(child, "SIGKILL")
    })
    child.once("close", (code) => {
      running.delete(child)
      resolve({ code, output, isInterrupted: timer.isInterrupted() })
    })
  })
}

/**
 * Interrupts a step at its deadline. On SIGINT, test runners stop their servers and write their reports.
 * @param {number} deadline
 * @param {import("node:child_process").ChildProcess} child
 */
function interruptAt(deadline, child) {
  let isInterrupted = false
  /** @type {NodeJS.Timeout[]} */
  const timers = []
  if (Number.isFinite(deadline)) {
    const interrupt = () => {
      isInterrupted = true
      child.kill("SIGINT")
      timers.push(setTimeout(() => signalGroup(child, "SIGKILL"), GRACE))
    }
    timers.push(setTimeout(interrupt, Math.max(0, deadline - performance.now())))
  }
  return {
    cancel: () => timers.forEach(clearTimeout),
    isInterrupted: () => isInterrupted,
  }
}

/** Forwards a signal to the running steps, kills those that do not end, and then exits. */
export function stopStepsOnSignals() {
  let stopping = false
  for (const signal of SIGNALS) {
    // `on` and not `once`: Ctrl-C arrives from the terminal and from npm, and the second signal must not interrupt the
    // clean-up.
    process.on(signal, async () => {
      if (stopping) return
      stopping = true
      const ended = [...running].map((child) => once(child, "close"))
      for (const child of running) signalGroup(child, "SIGTERM")
      const killTimer = setTimeout(endEverything, 5_000)
      await Promise.all(ended)
      clearTimeout(killTimer)
      process.exit(signalExitCode(signal))
    })
  }
  process.once("exit", endEverything)
}

function endEverything() {
  for (const child of running) signalGroup(child, "SIGKILL")
  killLeftoverProcesses()
}
