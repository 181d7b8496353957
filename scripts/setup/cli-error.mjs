import { stopWithCaller } from "../run/exit-with-npm.mjs"

/** An error that the user of a command can fix; printed as a message without a stack trace. */
export class CliError extends Error {
  /** @override */
  name = "CliError"
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
