import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { Logger } from "pino"
import { lockFile } from "~/billing/embedded/db/engines/file-lock.server"
import type { Config } from "~/config/environment.server"
import { SECOND } from "~/domain/calendar"
import { openDataFolder } from "./data-folder.server"
import { makePrivateFile } from "./private-files.server"

/** Of the shop in a data folder. Its commands do not take it: they run beside the server. */
const LOCK = "boxoffice.lock"

/** Longer than a stop may take (see `stop_grace_period` in compose.yaml): the next process of a restart waits for the one that ends. */
const LONGEST_STOP = 45 * SECOND
const BETWEEN_TRIES = SECOND / 5

/**
 * Keeps the SQLite database for this server alone. Another one on the same file has rate limits of
 * its own, and its port is one that no load balancer knows. Waits for a server that is stopping; throws an `Error` that says what to do
 * if it stays. On PostgreSQL instances share the database, and nothing is locked. Returns the function that unlocks.
 */
export async function lockDataFolder(
  { DATABASE_URL, DATA_DIR }: Pick<Config, "DATABASE_URL" | "DATA_DIR">,
  log: Pick<Logger, "warn">,
  waitMs = LONGEST_STOP,
): Promise<() => void> {
  if (DATABASE_URL !== undefined) return () => {}
  openDataFolder(DATA_DIR)
  const file = join(DATA_DIR, LOCK)
  makePrivateFile(file)
  const deadline = performance.now() + waitMs
  let unlock = lockFile(file)
  if (!unlock) log.warn({ dataDir: DATA_DIR, seconds: waitMs / SECOND }, "waiting for another server to end")
  while (!unlock && performance.now() < deadline) {
    await pause(BETWEEN_TRIES)
    unlock = lockFile(file)
  }
  if (unlock) return unlock
  throw new Error(
    `Another server uses DATA_DIR ${DATA_DIR}. Stop it first, or give this one another folder. ` +
      "Several instances of one shop need PostgreSQL (DATABASE_URL)",
  )
}
