import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { withFileLock } from "../../scripts/setup/file-lock.mjs"

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-lock-"))
  file = join(folder, "lock")
})
afterEach(() => rmSync(folder, { recursive: true }))

test("two holders of a lock run one after the other, and the second says that it waits", async () => {
  const events: string[] = []
  const first = Promise.withResolvers<void>()
  const one = withFileLock(file, async () => {
    events.push("first begins")
    await first.promise
    events.push("first ends")
  })
  const two = withFileLock(
    file,
    async () => void events.push("second"),
    (pid) => {
      events.push(`waits for ${pid}`)
      first.resolve()
    },
  )
  await Promise.all([one, two])
  expect(events).toEqual(["first begins", `waits for ${process.pid}`, "first ends", "second"])
  expect(readdirSync(folder)).toEqual([])
})

test("the lock of a process that has ended is taken over", async () => {
  const NEVER_A_PROCESS = 4_194_305
  writeFileSync(file, String(NEVER_A_PROCESS))
  expect(await withFileLock(file, async () => "done")).toBe("done")
})

test("a lock older than any work is taken over, though a process has its id", async () => {
  writeFileSync(file, String(process.pid))
  const anHourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(file, anHourAgo, anHourAgo)
  expect(await withFileLock(file, async () => "done")).toBe("done")
})

test("work that fails releases the lock", async () => {
  await expect(withFileLock(file, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  expect(readdirSync(folder)).toEqual([])
})
