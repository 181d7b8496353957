import { Kysely, PostgresAdapter } from "kysely"
import { postgresqlDialect } from "./engines/postgresql.server"
import { sqliteDialect } from "./engines/sqlite.server"
import type { Tables } from "./schema/schema"

/** `url`: `postgres://…`, or the path of a SQLite file. `timeoutMs`: how long a server may take to answer. */
export type DatabaseSettings = { readonly url: string; readonly timeoutMs: number }

/**
 * Opens the database; nothing past this module knows which engine it is. A file that cannot be opened throws here,
 * a server that does not answer at the first query.
 */
export function openDatabase({ url, timeoutMs }: DatabaseSettings): Kysely<Tables> {
  const server = /^postgres(ql)?:\/\//.test(url)
  return new Kysely<Tables>({
    dialect: server ? postgresqlDialect({ url, timeoutMs }) : sqliteDialect(url),
  })
}

/** Whether other processes on other machines may have it open, too. */
export function isShared(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
