import { constants } from "node:os"
import { CliError } from "../setup/cli-error.mjs"

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])

/** Milliseconds. Ctrl-C arrives twice, from the terminal and from npm; a later signal counts as a second press. */
const SAME_PRESS = 1_000

/**
 * Waits for a child to end and forwards signals to it, each key press once. Throws a `CliError` if it cannot be
 * started.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<number>} its exit code; 128 and more when a signal ended it, as shells count
 */
export function waitForExit(child) {
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
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
}
