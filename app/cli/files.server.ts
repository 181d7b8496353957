import type { Stats } from "node:fs"
import { lstat, open, rename, rm } from "node:fs/promises"
import { CommandError } from "./command"

/** What the disk refuses, it refuses in words that name the file. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isOfSystem(error) ? new CommandError(error.message, { cause: error }) : error
  }
}

/**
 * Writes a file that only its owner may read, whole or not at all: under another name until the last byte is on the
 * disk. What was in it before stays until then. Refuses a name that is anything but an ordinary file, or free: it would
 * put a file in the place of a device, or of a link whose target stays as it was.
 */
export async function writePrivately(file: string, content: string | AsyncIterable<string>): Promise<void> {
  const unfinished = `${file}.part`
  await mustBeOrdinary(file)
  await mustBeOrdinary(unfinished)
  await rm(unfinished, { force: true })
  try {
    // "x": made here and now, and no link that somebody has put there meanwhile is followed.
    const handle = await open(unfinished, "wx", 0o600)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function mustBeOrdinary(file: string): Promise<void> {
  const found = await lstat(file).catch((error: unknown) => {
    if (isOfSystem(error) && "code" in error && error.code === "ENOENT") return null
    throw error
  })
  if (found === null || found.isFile()) return
  throw new CommandError(
    `Cannot write ${file}: it is ${kindOf(found)}, not a regular file. No changes were made.`,
  )
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return "a link"
  if (found.isDirectory()) return "a folder"
  return found.isFIFO() || found.isSocket() ? "a pipe or socket" : "a device"
}

/** The lines of a file, without their ends. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const handle = await open(file)
  try {
    yield* handle.readLines()
  } finally {
    await handle.close()
  }
}

function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error
}
