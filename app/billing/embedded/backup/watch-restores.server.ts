import { sql } from "kysely"
import { DEFAULT_MIGRATION_TABLE } from "kysely/migration"
import type { DbContext } from "../db/transaction.server"

/**
 * Detects restores of a running shop. Each call starts to watch, and returns a function that tells whether a backup has
 * replaced the database since. What was read before a restore, such as the id of a customer, may not exist after it.
 */
export function watchRestores({ db }: Pick<DbContext, "db">): () => () => Promise<boolean> {
  let latest: Promise<string | null> | null = null

  /** A restore creates all tables again, so the history of migrations has new timestamps. Null if it cannot be read. */
  async function read(): Promise<string | null> {
    const query = sql<{ created: string | null }>`
      select min(timestamp) as created from ${sql.table(DEFAULT_MIGRATION_TABLE)}`
    const result = await query.execute(db).catch(() => null)
    return result?.rows[0]?.created ?? null
  }

  return () => {
    latest ??= read()
    const before = latest
    return async () => {
      latest = read()
      const [was, is] = [await before, await latest]
      return was !== null && is !== null && was !== is
    }
  }
}
