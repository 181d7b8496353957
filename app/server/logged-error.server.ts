import pino from "pino"

/**
 * An error as the log has it: pino joins its message with those of its causes, and an adapter names a failed call by the message of
 * its cause. What an outer message says already is left out; the stacks of all causes stay.
 */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const logged = pino.stdSerializers.err(error)
  logged.message = messageOf(error)
  return logged
}

function messageOf(error: Error): string {
  const said: string[] = []
  const seen = new Set<unknown>()
  for (let cause: unknown = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    const { message } = cause
    if (!said.some((it) => it.includes(message))) said.push(message)
    seen.add(cause)
  }
  return said.join(": ")
}
