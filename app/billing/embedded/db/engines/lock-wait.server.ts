import { setTimeout as pause } from "node:timers/promises"
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely"
import { SECOND } from "~/domain/calendar"
import { isBusy } from "./database-errors.server"

/** Milliseconds a statement waits for the lock of another process, such as the admin CLI. */
export const BUSY_TIMEOUT = 5 * SECOND
/** The longest pause between two tries, in milliseconds; the first ones are shorter. */
const MAX_PAUSE = 20

type Turn = {
  /** Whether the connection has an open transaction. */
  readonly isTransaction: () => boolean
  /** Gives the connection to others while `pause` lasts, and has it again afterwards. */
  readonly giveWay: (pause: () => Promise<void>) => Promise<void>
}

/**
 * Connection whose statements wait for the lock of another process without holding anything up: SQLite itself would wait in the
 * event loop, and no page, health check or read would be answered meanwhile. Within a transaction nothing waits, since it has the
 * lock from its beginning.
 */
export function waitingForLock(connection: DatabaseConnection, turn: Turn): DatabaseConnection {
  async function waited<Row>(query: CompiledQuery, { tries, deadline }: Wait): Promise<QueryResult<Row>> {
    try {
      return await connection.executeQuery<Row>(query)
    } catch (error) {
      if (!isBusy(error) || turn.isTransaction() || performance.now() >= deadline) throw error
    }
    await turn.giveWay(() => pause(Math.min(2 ** tries, MAX_PAUSE)))
    return waited(query, { tries: tries + 1, deadline })
  }
  return {
    executeQuery: (query) => waited(query, { tries: 0, deadline: performance.now() + BUSY_TIMEOUT }),
    streamQuery: (query, size) => connection.streamQuery(query, size),
  }
}

type Wait = { readonly tries: number; readonly deadline: number }
