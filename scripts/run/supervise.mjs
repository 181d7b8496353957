import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { constants } from "node:os"
import { CliError } from "../setup/cli-error.mjs"
import { projectNode } from "../setup/node-binary.mjs"
import { projectFolder } from "../setup/project-root.mjs"

// Everything about processes of the scripts: how a child starts, ends with its parent and gets its signals, and how a
// script ends with its caller. `exit-with-parent.mjs` is the part that runs in the child.

const preload = new URL("exit-with-parent.mjs", import.meta.url).href

/**
 * @typedef {import("node:child_process").ChildProcess} ChildProcess
 *
 * @typedef {object} Start
 * @property {NodeJS.ProcessEnv} env
 * @property {"inherit" | "pipe"} output of both outputs
 * @property {"ignore" | "inherit" | "pipe"} [input] default: none
 * @property {string} [cwd]
 * @property {boolean} [detached] a process group of its own
 */

/**
 * Starts a program on the project's Node. The program ends with this process, even after `kill -9`.
 * @param {string[]} args the program and its arguments
 * @param {Start} start
 */
export function spawnWithLifeline(args, { env, output, input = "ignore", ...options }) {
  return spawn(projectNode(), ["--import", preload, ...args], {
    ...options,
    env: { ...env, EXIT_WITH_PARENT: "yes" },
    stdio: [input, output, output, "ipc"],
  })
}

/**
 * Runs a program of the project on the project's Node in place of this process: same output, forwarded signals, same
 * exit code. It has its own process group, so that Ctrl-C of the terminal reaches it only through this process.
 * @param {string[]} args the program and its arguments
 * @param {Record<string, string>} environment added to the variables of this process
 * @param {"ignore" | "inherit"} [input] whether it reads this process's input
 */
export function runForeground(args, environment, input = "ignore") {
  const child = spawnWithLifeline(args, {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    input,
    output: "inherit",
    // A program that reads from the terminal must be in its foreground process group.
    detached: input === "ignore",
  })
  return waitForExit(child)
}

/**
 * Runs a preparation step with its output on standard error: standard output belongs to the program that follows.
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [environment]
 */
export function preparation(program, args, environment) {
  const child = spawn(program, args, {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", 2, 2],
  })
  return waitForExit(child)
}

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])

/** Milliseconds. Ctrl-C arrives twice, from the terminal and from npm; a later signal counts as a second press. */
const SAME_PRESS = 1_000

/**
 * Waits for a child to end and forwards signals to it, each key press once. Throws a `CliError` if it cannot be
 * started.
 * @param {ChildProcess} child
 * @returns {Promise<number>} its exit code; 128 and more when a signal ended it, as shells count
 */
function waitForExit(child) {
  let last = Number.NEGATIVE_INFINITY
  const pass = (/** @type {NodeJS.Signals} */ signal) => {
    const again = performance.now() - last > SAME_PRESS
    last = performance.now()
    if (again) child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, pass)
  return new Promise((resolve, reject) => {
    child.once("error", ({ message }) =>
      reject(new CliError(`${child.spawnfile} cannot be started: ${message}`)),
    )
    child.once("exit", (code, signal) => {
      for (const name of SIGNALS) process.off(name, pass)
      resolve(code ?? signalExitCode(signal))
    })
  })
}

/**
 * Exit code after a signal, 128 and its number, as shells report it.
 * @param {NodeJS.Signals | null} signal
 */
export function signalExitCode(signal) {
  return 128 + (signal ? constants.signals[signal] : 0)
}

/**
 * Sends a signal to a child's process group.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function signalGroup({ pid }, signal) {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The process group is empty.
  }
}

const MARK = "BOXOFFICE_TEST_RUN"

/** Environment variable for all processes of a run. It identifies those that have left the run's process groups. */
export const mark = { [MARK]: `${process.pid}-${Date.now()}` }

/**
 * Kills every process with this run's environment variable (SIGKILL). Linux only: other systems do not expose the
 * environment of processes.
 */
export function killLeftoverProcesses() {
  for (const id of markedProcesses()) {
    try {
      process.kill(id, "SIGKILL")
    } catch {
      // The process has ended in the meantime.
    }
  }
}

function markedProcesses() {
  const line = `${MARK}=${mark[MARK]}`
  return processes().filter((id) => id !== process.pid && environmentOf(id).includes(line))
}

/** @returns {number[]} */
function processes() {
  if (process.platform !== "linux") return []
  return readdirSync("/proc").map(Number).filter(Number.isInteger)
}

/** @param {number} id */
function environmentOf(id) {
  try {
    return readFileSync(`/proc/${id}/environ`, "utf8").split("\0")
  } catch {
    // The process has ended, or belongs to another user.
    return []
  }
}

/**
 * Runs a command and exits with its code; ends with npm. A `CliError` is printed and exits with 1.
 * @param {() => Promise<number>} work
 */
export async function runCli(work) {
  stopWithCaller()
  try {
    process.exitCode = await work()
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** Milliseconds between two looks at the parent process. */
const LOOK_EVERY = 100

/**
 * Treats the loss of the parent process as SIGTERM under npm: npm ends the shell that runs a script, and the shell
 * forwards no signal. Outside npm, a lost parent may only mean a background process after logout.
 */
function stopWithCaller() {
  if (process.env.npm_lifecycle_event === undefined) return
  const caller = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === caller) return
    clearInterval(watch)
    process.kill(process.pid, "SIGTERM")
  }, LOOK_EVERY)
  // The timer must not keep the process alive.
  watch.unref()
}
