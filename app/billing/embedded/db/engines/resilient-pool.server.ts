import { setTimeout as pause } from "node:timers/promises"
import type { PostgresPool, PostgresPoolClient } from "kysely"
import type pg from "pg"
import { SECOND } from "~/domain/calendar"
import { errorCodeOf, wasRolledBack } from "./database-errors.server"

/** A server that is restarted is back within a second or two; one that is gone for longer keeps nobody waiting. */
const PATIENCE = 3 * SECOND
const LOOK_EVERY = SECOND / 20
/** What is said of a connection that has ended without a word of the server: perhaps it did what was asked. */
const BROKEN_OFF = ["ECONNRESET", "EPIPE"]
/** A container that is restarted takes its address with it, and its name: who looks for it meanwhile finds no host. */
const NO_HOST = ["ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]
const NOT_FOUND = ["ECONNREFUSED", ...NO_HOST, ...BROKEN_OFF]
/** Nothing happens that could happen twice. */
const ASKS = /^\s*(select|begin|start transaction)\b/i
const BEGIN = /^(begin|start transaction)\b/
const END = /^(commit|rollback)$/
const NOTHING = { command: "ROLLBACK", rowCount: 0, rows: [] }

type Connect = () => Promise<pg.PoolClient>

/**
 * A pool whose users do not notice that the server is restarted. Whoever wants a connection waits until there is a
 * server again, and a statement outside a transaction goes on with another connection where that is safe: it only
 * asks, or is known not to have been done. A transaction fails as a whole, and is begun again by its owner (`atOnce`).
 */
export function resilientPool(pool: pg.Pool, timeoutMs: number): PostgresPool {
  const connect = patient(() => pool.connect(), Math.min(PATIENCE, timeoutMs))
  return {
    connect: async () => enduringClient(await connect(), connect),
    end: () => pool.end(),
    options: pool.options,
  }
}

/** Tries again while there is no server, from when it was first missed for as long as it takes to start one. */
function patient(connect: Connect, patience: number): Connect {
  let missedSince: number | null = null

  function isWorthWaiting(error: unknown): boolean {
    if (!wasRolledBack(error) && !isBrokenOff(error) && !NOT_FOUND.includes(errorCodeOf(error) ?? ""))
      return false
    missedSince ??= performance.now()
    return performance.now() - missedSince < patience
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

function isBrokenOff(error: unknown): boolean {
  const ended = error instanceof Error && error.message.startsWith("Connection terminated")
  return ended || BROKEN_OFF.includes(errorCodeOf(error) ?? "")
}

/** A client that may be another one from one statement to the next, while no transaction is open on it. */
function enduringClient(first: pg.PoolClient, connect: Connect): PostgresPoolClient {
  let held: pg.PoolClient | null = first
  let inTransaction = false
  /** By what the transaction has ended: nothing that still belongs to it may be done outside of it. */
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

  async function send(client: pg.PoolClient, sql: string, parameters: readonly unknown[]): Promise<unknown> {
    const answer: unknown = await client.query(sql, [...parameters])
    inTransaction = BEGIN.test(sql) || (inTransaction && !END.test(sql))
    return answer
  }

  /** Before another one is taken: all who hold a connection may be looking for another at once. */
  function leaveAfter(error: unknown): void {
    if (!wasRolledBack(error) && !isBrokenOff(error)) return
    held?.release(true)
    held = null
    if (inTransaction) cutBy = error
  }

  return Object.assign(Object.create(first), {
    query(sql: string, parameters: readonly unknown[] = []) {
      // With the connection its transaction has ended, and to complain of that would hide why.
      return cutBy !== null && sql === "rollback" ? NOTHING : query(sql, parameters)
    },
    release: (discard?: boolean) => held?.release(discard),
  })
}

function mayRepeat(sql: string, error: unknown): boolean {
  return wasRolledBack(error) || (isBrokenOff(error) && ASKS.test(sql))
}
