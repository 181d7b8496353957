import { Kysely } from "kysely"
import type { PoolStats } from "~/billing/billing-stats"
import { SECOND } from "~/domain/calendar"
import { connectionsOf, openPool, postgresqlDialect } from "./engines/postgresql.server"
import { sqliteDialect } from "./engines/sqlite.server"
import type { Tables } from "./schema/schema"

/** `url`: `postgres://…`, or the path of a SQLite file. `timeoutMs`: timeout of each step on a server. */
export type DatabaseSettings = {
  readonly url: string
  readonly timeoutMs: number
  /** Called once when a flush to the SQLite file has failed: the process must exit. */
  readonly onFlushFailed?: (error: Error) => void
}

/** How long a failed write counts. Later the next write decides, since a disk may have been freed. */
const DISK_ERROR_COUNTS = 10 * SECOND

/** When a statement last failed because of the disk, by SQLite database. */
const disks = new WeakMap<Kysely<Tables>, { readonly failedAt: number }>()

/** Kysely does not expose its pool. */
const pools = new WeakMap<Kysely<Tables>, Awaited<ReturnType<typeof openPool>>>()

/**
 * Opens the database and hides its engine from other modules. A file that cannot be opened throws immediately, an
 * unreachable server at the first query.
 */
export function openDatabase({ url, timeoutMs, onFlushFailed }: DatabaseSettings): Kysely<Tables> {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    const disk = { failedAt: Number.NEGATIVE_INFINITY }
    const onDiskError = () => {
      disk.failedAt = performance.now()
    }
    const db = new Kysely<Tables>({ dialect: sqliteDialect(url, { onFlushFailed, onDiskError }) })
    disks.set(db, disk)
    return db
  }
  const pool = openPool({ url, timeoutMs })
  const db = new Kysely<Tables>({ dialect: postgresqlDialect(pool, { url, timeoutMs }) })
  // A pool that cannot be opened fails the first query.
  pool.then((opened) => pools.set(db, opened)).catch(() => {})
  return db
}

/** Pool statistics of PostgreSQL; null for SQLite, and until the pool is open. */
export function connections(db: Kysely<Tables>): PoolStats | null {
  const pool = pools.get(db)
  return pool ? connectionsOf(pool) : null
}

/** Whether a statement failed in the last seconds because the disk is full, defective or read-only. */
export function hasDiskFailed(db: Kysely<Tables>): boolean {
  const { failedAt } = disks.get(db) ?? { failedAt: Number.NEGATIVE_INFINITY }
  return performance.now() - failedAt < DISK_ERROR_COUNTS
}
