import { Kysely, PostgresAdapter } from "kysely"
import type { PoolStats } from "~/billing/billing-stats"
import { connectionsOf, openPool, postgresqlDialect } from "./engines/postgresql.server"
import { sqliteDialect } from "./engines/sqlite.server"
import type { Tables } from "./schema/schema"

/** `url`: `postgres://…`, or the path of a SQLite file. `timeoutMs`: how long a server may take to answer. */
export type DatabaseSettings = {
  readonly url: string
  readonly timeoutMs: number
  /** Called once when the disk has failed to take what was written to a file: this process must end. */
  readonly onFlushFailed?: (error: Error) => void
}

/** Kysely does not hand out what it is opened over. */
const pools = new WeakMap<Kysely<Tables>, ReturnType<typeof openPool>>()

/**
 * Opens the database; nothing past this module knows which engine it is. A file that cannot be opened throws here,
 * a server that does not answer at the first query.
 */
export function openDatabase({ url, timeoutMs, onFlushFailed }: DatabaseSettings): Kysely<Tables> {
  if (!/^postgres(ql)?:\/\//.test(url))
    return new Kysely<Tables>({ dialect: sqliteDialect(url, { onFlushFailed }) })
  const pool = openPool({ url, timeoutMs })
  const db = new Kysely<Tables>({ dialect: postgresqlDialect(pool, { url, timeoutMs }) })
  pools.set(db, pool)
  return db
}

/** The connections to the server; null where the books are a file. */
export function connections(db: Kysely<Tables>): PoolStats | null {
  const pool = pools.get(db)
  return pool ? connectionsOf(pool) : null
}

/** Whether other processes on other machines may have it open, too. */
export function isShared(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
