import { mkdtempSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const IN_MEMORY = "/dev/shm"
/** Bytes. The databases of a run of all tests take 1.2 GB, and whatever else runs needs the memory too. */
const NEEDED = 8 * 1024 ** 3

/**
 * Creates a folder for a test's databases: in memory where the machine has room there, since on a disk each commit
 * waits. A test whose subject is the disk, and a measurement, use `tmpdir`.
 */
export function temporaryFolder(): string {
  return mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), "boxoffice-"))
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= NEEDED
  } catch {
    return false
  }
}
