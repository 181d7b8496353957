import { expect, test } from "vitest"
import { toBillingError } from "./database-errors.server"
import { groupCommit } from "./group-commit.server"

test("writes during a flush share the next flush", async () => {
  const disk = slowDisk()
  const { writes } = written(disk)
  const heard: string[] = []
  const write = (who: string) => {
    writes.markWritten()
    return writes.flushed().then(() => heard.push(who))
  }
  const first = write("first")
  await disk.started(1)
  const later = [write("second"), write("third")]
  disk.done()
  await first
  await disk.started(2)
  expect(heard).toEqual(["first"])
  disk.done()
  await Promise.all(later)
  expect(heard).toEqual(["first", "second", "third"])
  expect(disk.flushes()).toBe(2)
})

test("flushed does not flush if nothing was written", async () => {
  const disk = slowDisk()
  const { writes } = written(disk)
  await writes.flushed()
  writes.markWritten()
  const flushed = writes.flushed()
  await disk.started(1)
  disk.done()
  await flushed
  await writes.flushed()
  expect(disk.flushes()).toBe(1)
})

test("flushed without a new write waits for the flush in progress and starts no second one", async () => {
  const disk = slowDisk()
  const { writes } = written(disk)
  writes.markWritten()
  const writer = writes.flushed()
  await disk.started(1)
  let isHeard = false
  const reader = writes.flushed().then(() => {
    isHeard = true
  })
  await Promise.resolve()
  expect(isHeard).toBe(false)
  disk.done()
  await Promise.all([writer, reader])
  expect(disk.flushes()).toBe(1)
})

test("after a failed flush all writes are rejected without another flush, and onFailure is called once", async () => {
  const disk = slowDisk()
  const { writes, failures } = written(disk)
  writes.markWritten()
  const lost = Promise.allSettled([writes.flushed(), writes.flushed()])
  await disk.started(1)
  disk.fail()
  for (const { status, reason } of await lost.then((all) => all.map((it) => ({ reason: null, ...it })))) {
    expect(status).toBe("rejected")
    expect(toBillingError(reason)).toMatchObject({ name: "BillingError", kind: "unavailable" })
  }
  // The kernel may have dropped the unwritten page: another fsync would succeed without it.
  await expect(writes.flushed()).rejects.toThrow("Cannot flush the database")
  writes.markWritten()
  await expect(writes.flushed()).rejects.toThrow("Cannot flush the database")
  expect(disk.flushes()).toBe(1)
  expect(failures).toHaveLength(1)
})

test("a failed flush also rejects writes that wait for the next one", async () => {
  const disk = slowDisk()
  const { writes } = written(disk)
  writes.markWritten()
  const first = writes.flushed()
  await disk.started(1)
  writes.markWritten()
  const both = Promise.allSettled([first, writes.flushed()])
  disk.fail()
  expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"])
  expect(disk.flushes()).toBe(1)
})

function written({ flush }: { flush: () => Promise<void> }) {
  const failures: Error[] = []
  return { writes: groupCommit({ flush, onFailure: (error) => failures.push(error) }), failures }
}

/** A disk whose flushes last until the test calls `done` or `fail`. */
function slowDisk() {
  let flushes = 0
  let current = Promise.withResolvers<void>()
  let started = Promise.withResolvers<void>()
  return {
    flush: () => {
      flushes++
      current = Promise.withResolvers<void>()
      started.resolve()
      started = Promise.withResolvers<void>()
      return current.promise
    },
    started: async (nth: number) => {
      while (flushes < nth) await started.promise
    },
    flushes: () => flushes,
    done: () => current.resolve(),
    fail: () => current.reject(new Error("EIO")),
  }
}
