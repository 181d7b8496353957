import { PostgresDialect } from "kysely"
import pg from "pg"
import type { PoolStats } from "~/billing/billing-stats"
import { SECOND } from "~/domain/calendar"
import { resilientPool } from "./resilient-pool.server"

const CONNECTIONS = 10
/** The server gives up first, so that it is the one to say why; the client only when the server is silent. */
const SILENCE = 1 * SECOND
/** PostgreSQL's number for the type `bigint`. */
const BIGINT = 20

export type PostgresqlSettings = { readonly url: string; readonly timeoutMs: number }

/** A pool of connections, each step of which takes `timeoutMs` milliseconds at most. */
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
  // A connection whose server dies, idle or in use, would otherwise end the process. Its queries tell whoever asks.
  pool.on("error", () => {})
  pool.on("connect", (client) => leaveWhenSilent(client.on("error", () => {})))
  return pool
}

/** Kysely's PostgreSQL over such a pool. */
export function postgresqlDialect(pool: pg.Pool, { timeoutMs }: PostgresqlSettings): PostgresDialect {
  return new PostgresDialect({ pool: resilientPool(pool, timeoutMs) })
}

export function connectionsOf({ idleCount, totalCount, waitingCount }: pg.Pool): PoolStats {
  return { idle: idleCount, busy: totalCount - idleCount, waiting: waitingCount }
}

/**
 * `pg` gives up a query that nobody answers but keeps its connection, and whoever is handed that next waits behind
 * the lost query in vain. So the connection goes with it.
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

/** Money and instants are integers far below 2^53: numbers, not text. */
const getTypeParser: typeof pg.types.getTypeParser = (type: number, format?: unknown) =>
  type === BIGINT && format !== "binary" ? Number : pg.types.getTypeParser(type)
