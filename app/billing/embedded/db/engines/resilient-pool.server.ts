import { setTimeout as pause } from "node:timers/promises"
import type { PostgresPool, PostgresPoolClient } from "kysely"
import type pg from "pg"
import { SECOND } from "~/domain/calendar"
import { errorCodeOf, isPreparationLost, wasRolledBack } from "./database-errors.server"
import { type PreparedStatements, preparedStatements } from "./prepared-statements.server"

const LOOK_EVERY = SECOND / 20
/** The connection ended without a message of the server: the statement may have been executed. */
const BROKEN_OFF = ["ECONNRESET", "EPIPE"]
/** While a container restarts, its address and its DNS name do not exist. */
const NO_HOST = ["ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]
const NOT_FOUND = ["ECONNREFUSED", ...NO_HOST, ...BROKEN_OFF]
/** Statements without side effects, which are safe to retry. */
const ASKS = /^\s*(select|begin|start transaction)\b/i
const BEGIN = /^(begin|start transaction)\b/
const END = /^(commit|rollback)$/
const NOTHING = { command: "ROLLBACK", rowCount: 0, rows: [] }

type Connect = () => Promise<pg.PoolClient>

/**
 * Connection pool that hides server restarts from its callers. Connecting waits until the server is back, at most
 * `maxWait` milliseconds. A statement outside a transaction is repeated on another connection if that is safe: it
 * only reads, or is known not to have run. A cut transaction fails as a whole; `inTransaction` retries it.
 */
export function resilientPool(pool: pg.Pool, maxWait: number): PostgresPool {
  const connect = withTimeout(() => pool.connect(), maxWait)
  const statements = preparedStatements()
  return {
    connect: async () => enduringClient(await connect(), { connect, statements }),
    end: () => pool.end(),
    options: pool.options,
  }
}

/** Retries connecting for `maxWait` milliseconds from the first failure of any caller. */
function withTimeout(connect: Connect, maxWait: number): Connect {
  let missedSince: number | null = null

  function isWorthWaiting(error: unknown): boolean {
    if (!wasRolledBack(error) && !isConnectionLost(error) && !NOT_FOUND.includes(errorCodeOf(error) ?? ""))
      return false
    missedSince ??= performance.now()
    return performance.now() - missedSince < maxWait
  }

  return async function tried(): Promise<pg.PoolClient> {
    try {
      const client = await connect()
      missedSince = null
      return client
    } catch (error) {
      if (!isWorthWaiting(error)) throw error
      await pause(LOOK_EVERY)
      return tried()
    }
  }
}

function isConnectionLost(error: unknown): boolean {
  const ended = error instanceof Error && error.message.startsWith("Connection terminated")
  return ended || BROKEN_OFF.includes(errorCodeOf(error) ?? "")
}

type Shared = { readonly connect: Connect; readonly statements: PreparedStatements }

/** A client that may change its connection between statements while no transaction is open. */
function enduringClient(first: pg.PoolClient, { connect, statements }: Shared): PostgresPoolClient {
  let held: pg.PoolClient | null = first
  let inTransaction = false
  /** Error that cut the transaction: its later statements must not run outside of it. */
  let cutBy: unknown = null

  async function query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    if (cutBy !== null) throw cutBy
    held ??= await connect()
    try {
      return await send(held, sql, parameters)
    } catch (error) {
      leaveAfter(error)
      if (inTransaction || !mayRepeat(sql, error)) throw error
    }
    return query(sql, parameters)
  }

  /** Sends a statement, and once more if its connection has lost what was prepared; a transaction has failed then. */
  async function send(client: pg.PoolClient, sql: string, parameters: readonly unknown[]): Promise<unknown> {
    try {
      return await sendOnce(client, sql, parameters)
    } catch (error) {
      if (!isPreparationLost(error)) throw error
      statements.lost(error)
      if (inTransaction) throw error
    }
    return sendOnce(client, sql, parameters)
  }

  async function sendOnce(
    client: pg.PoolClient,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<unknown> {
    const result: unknown = await client.query({
      name: statements.nameOf(sql),
      text: sql,
      values: [...parameters],
    })
    inTransaction = BEGIN.test(sql) || (inTransaction && !END.test(sql))
    return result
  }

  /** Releases the connection before another one is taken: all callers may reconnect concurrently. */
  function leaveAfter(error: unknown): void {
    if (!wasRolledBack(error) && !isConnectionLost(error)) return
    held?.release(true)
    held = null
    if (inTransaction) cutBy = error
  }

  return Object.assign(Object.create(first), {
    query(sql: string, parameters: readonly unknown[] = []) {
      // The transaction ended with its connection; an error of the rollback would hide the cause.
      return cutBy !== null && sql === "rollback" ? NOTHING : query(sql, parameters)
    },
    release: (discard?: boolean) => held?.release(discard),
  })
}

function mayRepeat(sql: string, error: unknown): boolean {
  return wasRolledBack(error) || (isConnectionLost(error) && ASKS.test(sql))
}
