import pino, { type DestinationStream } from "pino"

/** How long a line waits for others, in milliseconds: a request writes one to three, each of which would be a system call. */
const WAIT = 20
/** Bytes that are written without waiting. */
const FULL = 8 * 1_024
const WARN = 40
/** Each line begins with its level. */
const LEVEL = '{"level":'

/**
 * Writes log lines in batches to a file descriptor, by a thread, so that a slow reader of the log does not stop the shop. Lines
 * from "warn" up are written at once, with those before them, and lines that wait at the exit of the process, also after an
 * uncaught error.
 */
export function logDestination(fd: number): DestinationStream & { flushSync(): void } {
  const file = pino.destination({ dest: fd, minLength: FULL, sync: false })
  let timer: NodeJS.Timeout | undefined
  function flush() {
    clearTimeout(timer)
    timer = undefined
    file.flush()
  }
  return {
    write(line) {
      file.write(line)
      if (Number(line.slice(LEVEL.length, LEVEL.length + 2)) >= WARN) flush()
      // The exit writes what is left, so the timer need not keep the process alive.
      else timer ??= setTimeout(flush, WAIT).unref()
    },
    // Called by pino after a fatal line.
    flushSync: () => file.flushSync(),
  }
}
