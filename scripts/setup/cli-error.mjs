import { stopWithCaller } from "../run/exit-with-npm.mjs"

/** Something the person at the keyboard can mend: told in words, without a stack. */
export class CliError extends Error {
  /** @override */
  name = "CliError"
}

/**
 * Runs a command's work to its exit code, no longer than npm lives; a problem is told and ends it with 1.
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
