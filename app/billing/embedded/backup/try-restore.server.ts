import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MINUTE } from "~/domain/calendar"
import { openDatabase } from "../db/database.server"
import { migrate } from "../db/migrate.server"
import type { DbContext } from "../db/transaction.server"
import { type Restored, restore } from "./restore.server"

/** Restores a backup into a temporary SQLite file, which is deleted again. Throws as `restore` does. */
export async function tryRestore({ newId }: DbContext, read: () => AsyncIterable<string>): Promise<Restored> {
  const folder = await mkdtemp(join(tmpdir(), "boxoffice-backup-"))
  try {
    const db = openDatabase({ url: join(folder, "tried.db"), timeoutMs: MINUTE })
    try {
      await migrate(db)
      return await restore({ db, newId }, read, { replace: true })
    } finally {
      await db.destroy()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
