/** SQLite's own code for a flush that has failed (https://sqlite.org/rescode.html#ioerr_fsync). */
const IOERR_FSYNC = 1_034

/**
 * What was written may be lost: nobody is told that it was kept. Nor is anything after it: a system that could not
 * write a page may forget that it had to, and the next flush would succeed without it.
 */
class NotFlushed extends Error {
  override name = "NotFlushed"
  readonly errcode = IOERR_FSYNC
}

/** What has been written, and how much of it is on the disk. */
export type GroupCommit = {
  /** Something more has been written, and is all there but for the disk. */
  markWritten(): void
  /** Resolves when all that had been written is on the disk; throws when it cannot be brought there. */
  flushed(): Promise<void>
  /** The flush that has failed; null while all is well. After it nothing may be written. */
  failure(): Error | null
}

export type GroupCommitSettings = {
  /** Brings all that has been written to the disk. */
  readonly flush: () => Promise<void>
  /** Called once, when a flush has failed: this process must not write any more. */
  readonly onFailure: (error: Error) => void
}

/**
 * One flush for all that is written while another is under way, so that the disk is waited for by those who wrote, and
 * not by everybody in turn. After one that has failed nothing is kept any more, whatever the next one would say.
 */
export function groupCommit({ flush, onFailure }: GroupCommitSettings): GroupCommit {
  let written = 0
  let flushed = 0
  let underWay: { readonly upTo: number; readonly done: Promise<void> } | null = null
  let next: Promise<void> | null = null
  let failure: NotFlushed | null = null

  async function flushAll(upTo: number): Promise<void> {
    try {
      await flush()
      flushed = upTo
    } catch (cause) {
      failure = new NotFlushed("The disk has not taken what was written", { cause })
      onFailure(failure)
      throw failure
    } finally {
      underWay = null
    }
  }

  async function nextFlush(): Promise<void> {
    // It may have begun before the last was written.
    await Promise.allSettled([underWay?.done])
    next = null
    if (failure) throw failure
    underWay = { upTo: written, done: flushAll(written) }
    await underWay.done
  }

  return {
    failure: () => failure,
    markWritten: () => {
      written += 1
    },
    async flushed() {
      if (failure) throw failure
      if (written === flushed) return
      if (underWay?.upTo !== written) next ??= nextFlush()
      await (next ?? underWay?.done)
    },
  }
}
