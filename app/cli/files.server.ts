import { existsSync, type Stats } from "node:fs"
import { lstat, open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { CommandError } from "./command"

/** Converts a file system error to a `CommandError` that says what is wrong with which file. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isOfSystem(error) ? new CommandError(problemOf(error), { cause: error }) : error
  }
}

const UNFINISHED = ".part"

function problemOf({ code, path, message }: SystemError): string {
  if (code === "ENOSPC") return "The disk is full."
  if (path === undefined) return message
  const file = path.endsWith(UNFINISHED) ? path.slice(0, -UNFINISHED.length) : path
  switch (code) {
    case "ENOENT":
      return existsSync(dirname(file))
        ? `The file ${file} does not exist.`
        : `The folder ${dirname(file)} does not exist.`
    case "ENOTDIR":
      return `${dirname(file)} is not a folder.`
    case "EISDIR":
      return folderProblem(file)
    case "EACCES":
    case "EPERM":
      return `There is no permission for ${file}.`
    default:
      return message
  }
}

const folderProblem = (file: string) => `${file} is a folder, not a file.`

/**
 * Writes a file atomically with mode 0600: writes and syncs `FILE.part`, then renames it, so the old content stays
 * until the new one is complete. Throws `CommandError` if either path exists and is not a regular file: the rename
 * would replace a device, or a symbolic link instead of its target.
 */
export async function writePrivately(
  file: string,
  content: string | Uint8Array | AsyncIterable<string>,
): Promise<void> {
  const unfinished = `${file}${UNFINISHED}`
  await mustBeOrdinary(file)
  await mustBeOrdinary(unfinished)
  await rm(unfinished, { force: true })
  try {
    // "x" (O_EXCL) fails if the path exists, so a symbolic link created concurrently is not followed.
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
    if (isOfSystem(error) && error.code === "ENOENT") return null
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

/** Reads a file line by line, without line breaks. Throws `CommandError` for a folder. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const handle = await open(file)
  try {
    if ((await handle.stat()).isDirectory()) throw new CommandError(folderProblem(file))
    yield* handle.readLines()
  } finally {
    await handle.close()
  }
}

type SystemError = Error & { readonly code?: string; readonly path?: string }

function isOfSystem(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error
}
