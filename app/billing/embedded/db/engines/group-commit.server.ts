/** SQLite's own code for a flush that has failed (https://sqlite.org/rescode.html#ioerr_fsync). */
const IOERR_FSYNC = 1_034

/** What was written may be lost: nobody is told that it was kept. */
class NotFlushed extends Error {
  override name = "NotFlushed"
  readonly errcode = IOERR_FSYNC
}

/** What has been written, and how much of it is on the disk. */
export type Writes = {
  /** Something more has been written, and is all there but for the disk. */
  more(): void
  /** Resolves when all that had been written is on the disk; throws when it cannot be brought there. */
  kept(): Promise<void>
}

/**
 * One flush for all that is written while another is under way, so that the disk is waited for by those who wrote, and
 * not by everybody in turn. `flush` brings all that has been written to the disk.
 */
export function flushedTogether(flush: () => Promise<void>): Writes {
  let written = 0
  let flushed = 0
  let underWay: { readonly upTo: number; readonly done: Promise<void> } | null = null
  let next: Promise<void> | null = null

  async function flushAll(upTo: number): Promise<void> {
    try {
      await flush()
      flushed = upTo
    } catch (cause) {
      throw new NotFlushed("The disk has not taken what was written", { cause })
    } finally {
      underWay = null
    }
  }

  async function nextFlush(): Promise<void> {
    // It may have begun before the last was written.
    await Promise.allSettled([underWay?.done])
    next = null
    underWay = { upTo: written, done: flushAll(written) }
    await underWay.done
  }

  return {
    more: () => {
      written += 1
    },
    async kept() {
      if (written === flushed) return
      if (underWay?.upTo !== written) next ??= nextFlush()
      await (next ?? underWay?.done)
    },
  }
}
