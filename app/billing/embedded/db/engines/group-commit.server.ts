/** SQLITE_IOERR_FSYNC (https://sqlite.org/rescode.html#ioerr_fsync). */
const IOERR_FSYNC = 1_034

/**
 * Failed flush: the written data may be lost, so no write is confirmed, including later ones. The kernel may drop a
 * dirty page after a failed fsync, and the next fsync would succeed without it.
 */
class NotFlushed extends Error {
  override name = "NotFlushed"
  readonly errcode = IOERR_FSYNC
}

/** Tracks writes and their flushes to disk. */
export type GroupCommit = {
  /** Reports a write that is complete but not flushed. */
  markWritten(): void
  /** Resolves when all writes reported so far are flushed; rejects if the flush fails or an earlier one has failed. */
  flushed(): Promise<void>
  /** Error of the failed flush, null if none failed. After a failure nothing may be written. */
  failure(): Error | null
}

export type GroupCommitSettings = {
  /** Must persist everything written so far. */
  readonly flush: () => Promise<void>
  /** Called once, after the first failed flush: the process must not write any more. */
  readonly onFailure: (error: Error) => void
}

/**
 * Group commit: writes that arrive during a flush share the next one, so waits for the disk do not add up. After a
 * failed flush every later write is rejected, without another flush.
 */
export function groupCommit({ flush, onFailure }: GroupCommitSettings): GroupCommit {
  let written = 0
  let flushed = 0
  let flushing: { readonly upTo: number; readonly done: Promise<void> } | null = null
  let next: Promise<void> | null = null
  let failure: NotFlushed | null = null

  async function flushAll(upTo: number): Promise<void> {
    try {
      await flush()
      flushed = upTo
    } catch (cause) {
      failure = new NotFlushed("Cannot flush the database to disk", { cause })
      onFailure(failure)
      throw failure
    } finally {
      flushing = null
    }
  }

  async function nextFlush(): Promise<void> {
    // The flush in progress may have begun before the last write.
    await Promise.allSettled([flushing?.done])
    next = null
    if (failure) throw failure
    flushing = { upTo: written, done: flushAll(written) }
    await flushing.done
  }

  return {
    failure: () => failure,
    markWritten: () => {
      written += 1
    },
    async flushed() {
      if (failure) throw failure
      if (written === flushed) return
      if (flushing?.upTo !== written) next ??= nextFlush()
      await (next ?? flushing?.done)
    },
  }
}
