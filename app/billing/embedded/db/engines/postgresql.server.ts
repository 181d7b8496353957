import { type Kysely, PostgresAdapter, PostgresDialect, type PostgresQueryCompiler, sql } from "kysely"
import type pg from "pg"
import type { PoolStats } from "~/billing/billing-stats"
import { SECOND } from "~/domain/calendar"
import type { Tables } from "../schema/schema"
import { PostgresqlCompiler } from "./literal-limits.server"
import { resilientPool } from "./resilient-pool.server"

const CONNECTIONS = 10
/** Added to the client's timeout, so that the server's own timeout fires first and reports the reason. */
const SILENCE = 1 * SECOND
/** Maximum wait for a server in milliseconds. A restart takes a second or two; a longer outage fails queries. */
const MAX_RESTART = 3 * SECOND
/** Kysely's number of the lock of migrations, so that earlier versions, which take it for a session, wait for it too. */
const MIGRATION_LOCK = 3_853_314_791_062_309_107n
/** OID of the type `bigint`. */
const BIGINT = 20

export type PostgresqlSettings = { readonly url: string; readonly timeoutMs: number }

/**
 * Opens a pool. Waiting for a connection, each statement and idling in a transaction take at most `timeoutMs` milliseconds,
 * and less when the server is found to be lost: see `openWatchedPool`. The driver is loaded with the first pool, since a shop on
 * SQLite needs none.
 */
export async function openPool({ url, timeoutMs }: PostgresqlSettings): Promise<pg.Pool> {
  const [{ default: driver }, { openWatchedPool }] = await Promise.all([
    import("pg"),
    import("./silent-connections.server"),
  ])
  const pool = openWatchedPool({
    connectionString: url,
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs + SILENCE,
    idle_in_transaction_session_timeout: timeoutMs,
    types: { getTypeParser: typeParserOf(driver) },
  })
  // Without a listener, the `error` event of a lost connection ends the process. Queries report the error themselves.
  pool.on("error", () => {})
  pool.on("connect", (client) => void client.on("error", () => {}))
  return pool
}

/** Whether instances on other machines can use the database, too: PostgreSQL. */
export function isShared(db: Pick<Kysely<unknown>, "getExecutor">): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Kysely dialect on a resilient pool, which its first query waits for: see `resilientPool`. */
export function postgresqlDialect(
  pool: Promise<pg.Pool>,
  { timeoutMs }: PostgresqlSettings,
): PostgresDialect {
  return new ShopDialect({ pool: async () => resilientPool(await pool, Math.min(MAX_RESTART, timeoutMs)) })
}

class ShopDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new LocklessAdapter()
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new PostgresqlCompiler()
  }
}

/**
 * Waits until no other instance prepares the tables, and makes others wait until the end of the transaction `tx`. The
 * lock belongs to the transaction and not to the session: through PgBouncer a session's lock would be taken on one
 * connection of the server and released on another one, and stay.
 */
export async function lockSetup(tx: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx)
}

/** Leaves out Kysely's lock of a session: `migrate` has locked already (`lockSetup`). */
class LocklessAdapter extends PostgresAdapter {
  override async acquireMigrationLock() {}
  override async releaseMigrationLock() {}
}

export function connectionsOf({ idleCount, totalCount, waitingCount }: pg.Pool): PoolStats {
  return { idle: idleCount, busy: totalCount - idleCount, waiting: waitingCount }
}

/** Parses `bigint` as number instead of string: money and instants are integers far below 2^53. */
const typeParserOf =
  ({ types }: Pick<typeof pg, "types">): typeof pg.types.getTypeParser =>
  (type: number, format?: unknown) =>
    type === BIGINT && format !== "binary" ? Number : types.getTypeParser(type)
