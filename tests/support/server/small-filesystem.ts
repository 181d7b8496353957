import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export type SmallDisk = {
  readonly folder: string
  /** Fills the remaining space. */
  fill(): void
  free(): void
  remove(): void
}

const PIECE = Buffer.alloc(4_096)

/** Mounts a disk of 16 MB in memory; null if this machine does not allow it. */
export function smallDisk(): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-disk-"))
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", folder])
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true })
    return null
  }
  const filler = join(folder, "filler")
  const remove = () => {
    process.off("exit", remove)
    spawnSync("umount", ["-l", folder])
    rmSync(folder, { recursive: true, force: true })
  }
  process.once("exit", remove)
  return { folder, fill: () => fillUp(filler), free: () => rmSync(filler, { force: true }), remove }
}

function fillUp(file: string): void {
  const filler = openSync(file, "a")
  try {
    for (;;) writeSync(filler, PIECE)
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOSPC") throw error
  } finally {
    closeSync(filler)
  }
}
