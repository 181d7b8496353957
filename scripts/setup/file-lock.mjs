import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"

const LOOK_EVERY_MS = 200
/** An installation or a build takes a few minutes; the id of a process that was killed may belong to another by now. */
const MAX_AGE_MS = 20 * 60_000

/**
 * Runs `work` while no other process holds the lock file, which contains the holder's process id. Waits for the holder to
 * finish; a lock whose process has ended, or that is older than any work, is taken over.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {(pid: number) => void} [onWait] called once before waiting
 * @returns {Promise<T>}
 */
export async function withFileLock(file, work, onWait = () => {}) {
  let hasWaited = false
  for (let holder = acquire(file); holder !== null; holder = acquire(file)) {
    if (!hasWaited) onWait(holder)
    hasWaited = true
    await pause(LOOK_EVERY_MS)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/**
 * @param {string} file
 * @returns {number | null} the process that holds the lock; null if this process has it now
 */
function acquire(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" })
    return null
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
  }
  const holder = holderOf(file)
  if (holder !== null && isRunning(holder)) return holder
  rmSync(file, { force: true })
  return acquire(file)
}

/** @param {string} file */
function holderOf(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > MAX_AGE_MS) return null
    // Empty between creation and writing: the holder is about to write its id.
    return Number(readFileSync(file, "utf8")) || process.ppid
  } catch {
    return null
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
