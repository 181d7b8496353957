/** An error that the user of a command can fix; printed as a message without a stack trace. */
export class CliError extends Error {
  /** @override */
  name = "CliError"
}
