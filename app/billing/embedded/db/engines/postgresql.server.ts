import { PostgresDialect, type PostgresQueryCompiler } from "kysely"
import pg from "pg"
import type { PoolStats } from "~/billing/billing-stats"
import { SECOND } from "~/domain/calendar"
import { PostgresqlCompiler } from "./literal-limits.server"
import { resilientPool } from "./resilient-pool.server"

const CONNECTIONS = 10
/** Added to the client's timeout, so that the server's own timeout fires first and reports the reason. */
const SILENCE = 1 * SECOND
/** Maximum wait for a server in milliseconds. A restart takes a second or two; a longer outage fails queries. */
const MAX_RESTART = 3 * SECOND
/** OID of the type `bigint`. */
const BIGINT = 20

export type PostgresqlSettings = { readonly url: string; readonly timeoutMs: number }

/** Opens a pool. Connecting, each statement and idling in a transaction take at most `timeoutMs` milliseconds. */
export function openPool({ url, timeoutMs }: PostgresqlSettings): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs + SILENCE,
    idle_in_transaction_session_timeout: timeoutMs,
    types: { getTypeParser },
  })
  // Without a listener, the `error` event of a lost connection ends the process. Queries report the error themselves.
  pool.on("error", () => {})
  pool.on("connect", (client) => leaveWhenSilent(client.on("error", () => {})))
  return pool
}

/** Kysely dialect on a resilient pool: see `resilientPool`. */
export function postgresqlDialect(pool: pg.Pool, { timeoutMs }: PostgresqlSettings): PostgresDialect {
  return new ResilientDialect({ pool: resilientPool(pool, Math.min(MAX_RESTART, timeoutMs)) })
}

class ResilientDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new PostgresqlCompiler()
  }
}

export function connectionsOf({ idleCount, totalCount, waitingCount }: pg.Pool): PoolStats {
  return { idle: idleCount, busy: totalCount - idleCount, waiting: waitingCount }
}

/**
 * Closes a connection after a client-side query timeout. `pg` keeps it in the pool, and its next query would wait
 * behind the one that gets no response.
 */
function leaveWhenSilent(client: pg.PoolClient): void {
  const { query } = client
  Object.assign(client, {
    async query(...args: unknown[]) {
      try {
        return await Reflect.apply(query, client, args)
      } catch (error) {
        const silent = error instanceof Error && error.message === "Query read timeout"
        if (silent && client instanceof pg.Client) void client.end()
        throw error
      }
    },
  })
}

/** Parses `bigint` as number instead of string: money and instants are integers far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (type: number, format?: unknown) =>
  type === BIGINT && format !== "binary" ? Number : pg.types.getTypeParser(type)
