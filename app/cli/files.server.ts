import { open, rename, rm } from "node:fs/promises"
import { Refusal } from "./command"

/** What the disk refuses, it refuses in words that name the file. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isOfSystem(error) ? new Refusal(error.message, { cause: error }) : error
  }
}

/**
 * Writes a file that only its owner may read, whole or not at all: under another name until the last byte is on the
 * disk. What was in it before stays until then.
 */
export async function writePrivately(file: string, content: string | AsyncIterable<string>): Promise<void> {
  const unfinished = `${file}.part`
  try {
    const handle = await open(unfinished, "w", 0o600)
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
