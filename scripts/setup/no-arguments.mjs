import { CliError } from "./cli-error.mjs"

/**
 * Runs a command that takes no arguments; `--help` prints its usage instead. Throws a `CliError` for any other argument,
 * before anything is installed or started.
 * @param {string} usage
 * @param {() => Promise<number>} work
 * @param {readonly string[]} [args]
 * @returns {Promise<number>} the exit code
 */
export async function withoutArguments(usage, work, args = process.argv.slice(2)) {
  const [first] = args
  if (first === undefined) return work()
  if (first !== "--help" && first !== "-h") throw new CliError(`Unknown argument "${first}".\n\n${usage}`)
  console.log(usage)
  return 0
}
