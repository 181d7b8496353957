import { closeSync, openSync, readSync } from "node:fs"

/** Room for a byte order mark, some blank lines and the header. */
const HEADER_BYTES = 64

/**
 * Checks that `PLAYLIST_TEMPLATE_FILE` begins as an M3U playlist does: otherwise only buyers would notice an HTML page or
 * an empty file. Throws an `Error` that names variable and file.
 */
export function checkPlaylistTemplate(file: string | undefined): void {
  if (file === undefined) return
  if (beginningOf(file).trimStart().startsWith("#EXTM3U")) return
  throw new Error(`Invalid PLAYLIST_TEMPLATE_FILE ${file}: not a playlist, its first line must be #EXTM3U`)
}

function beginningOf(file: string): string {
  try {
    const descriptor = openSync(file, "r")
    try {
      const bytes = Buffer.alloc(HEADER_BYTES)
      return bytes.toString("utf8", 0, readSync(descriptor, bytes))
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Invalid PLAYLIST_TEMPLATE_FILE ${file}: ${reason}`, { cause })
  }
}
