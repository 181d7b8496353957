import { unwatchFile, watchFile } from "node:fs"
import type { Logger } from "pino"
import { SECOND } from "~/domain/calendar"

/** How often a file is checked for a newer version, in milliseconds. */
const LOOK_EVERY = 5 * SECOND

/**
 * Calls `reload` whenever the file has changed, until the returned function is called. `reload` returns fields of the log
 * line; if it throws, the reason is logged, and the next change is another try.
 */
export function reloadOnChange(file: string, reload: () => Promise<object>, log: Logger): () => void {
  async function changed() {
    try {
      log.info(await reload(), "country table reloaded")
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, "country table not reloaded")
    }
  }
  const listener = () => void changed()
  watchFile(file, { persistent: false, interval: LOOK_EVERY }, listener)
  return () => unwatchFile(file, listener)
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return "code" in error && error.code === "ENOENT" ? "not found" : error.message
}
