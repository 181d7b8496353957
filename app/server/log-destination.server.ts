import { write as startWriting, writeSync } from "node:fs"
import type { DestinationStream } from "pino"

/** How long a line waits for others, in milliseconds: a request writes one to three, each of which would be a system call. */
const WAIT = 20
/** Length of the lines that are written without waiting. */
const FULL = 8 * 1_024
/** Length of the lines that are kept while they cannot be written; further ones are lost. */
const MAX_WAITING = 1_024 * 1_024
/** Pause after a failure, in milliseconds: a full disk, or a reader that is behind. */
const RETRY_AFTER = 100
/** How long an exit waits for a reader that is behind, in milliseconds. */
const MAX_EXIT = 1_000
const WARN = 40
/** Each line begins with its level. */
const LEVEL = '{"level":'
const NOTHING = Buffer.alloc(0)

/**
 * Writes log lines in batches to a file descriptor, by a thread, so that a slow reader of the log does not stop the shop. Lines
 * from "warn" up are written at once, with those before them, and lines that wait at the exit of the process, also after an
 * uncaught error. A log that cannot be written, because its disk is full or its reader has ended, neither stops the shop nor
 * keeps it from exiting; lines go on once there is space again.
 */
export function logDestination(fd: number): DestinationStream & { flushSync(): void } {
  let waiting = ""
  /** Begun before those that wait. */
  let begun = NOTHING
  let isWriting = false
  let isUrgent = false
  let timer: NodeJS.Timeout | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    isUrgent = isWriting
    if (isWriting) return
    if (begun.length === 0) {
      begun = Buffer.from(waiting)
      waiting = ""
    }
    if (begun.length === 0) return
    isWriting = true
    startWriting(fd, begun, written)
  }

  function written(error: Error | null, bytes: number) {
    isWriting = false
    if (error) return flushAfter(RETRY_AFTER)
    begun = begun.subarray(bytes)
    if (isUrgent || begun.length > 0 || waiting.length >= FULL) flush()
    else if (waiting !== "") flushAfter(WAIT)
  }

  /** The exit writes what is left, so the timer need not keep the process alive. */
  function flushAfter(pause: number) {
    timer ??= setTimeout(flush, pause).unref()
  }

  function flushSync() {
    // What a thread is writing is written by it.
    const left = Buffer.concat([isWriting ? NOTHING : begun, Buffer.from(waiting)])
    waiting = ""
    if (!isWriting) begun = NOTHING
    writeNow(fd, left)
  }

  process.once("exit", flushSync)
  return {
    write(line) {
      if (waiting.length + line.length > MAX_WAITING) return
      waiting += line
      const isFull = waiting.length >= FULL && begun.length === 0
      if (isFull || Number(line.slice(LEVEL.length, LEVEL.length + 2)) >= WARN) flush()
      else if (!isWriting) flushAfter(WAIT)
    },
    // Called by pino after a fatal line.
    flushSync,
  }
}

/** Writes lines without a thread, unless they cannot be written. */
function writeNow(fd: number, lines: Buffer): void {
  const until = performance.now() + MAX_EXIT
  let left = lines
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(fd, left))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || performance.now() > until) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_AFTER)
    }
  }
}
