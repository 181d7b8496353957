import { createHash } from "node:crypto"
import { LRUCache } from "lru-cache"
import { errorCodeOf, PLAN_CHANGED } from "./database-errors.server"

/** Statements whose repetitions are counted, and those that each connection may have prepared. */
const COUNTED = 1_000
const PREPARED = 400
/** A statement is prepared when it is sent again: many are sent once, as reports with lists of different lengths. */
const SENT_BEFORE = 2
/** What PostgreSQL plans. Statements around it, as BEGIN, and those that change the schema gain nothing. */
const PLANNED = /^\s*(select|insert|update|delete|with)\b/i

export type PreparedStatements = ReturnType<typeof preparedStatements>

/**
 * Names statements that are sent often, so that each connection has PostgreSQL parse and plan them once: that takes about half of its
 * processor time for a purchase. Without a name a statement is sent as before.
 */
export function preparedStatements() {
  const counts = new LRUCache<string, number>({ max: COUNTED })
  const names = new Map<string, string>()
  /** Part of each name: after a migration all statements are prepared anew. */
  let generation = 0
  let isSupported = true

  /** Whether a statement that is not prepared is to be from now on. */
  function isOften(text: string): boolean {
    const sent = counts.get(text) ?? 0
    counts.set(text, sent + 1)
    return sent >= SENT_BEFORE && names.size < PREPARED && PLANNED.test(text)
  }

  return {
    /** The name under which a statement is prepared; undefined if it is not. */
    nameOf(text: string): string | undefined {
      if (!isSupported) return undefined
      if (!names.has(text) && isOften(text)) names.set(text, hashOf(text))
      const name = names.get(text)
      return name && `${name}-${generation}`
    },
    /**
     * To be called with the error of a statement that was not prepared any more (`isPreparationLost`). After a migration statements
     * are prepared anew. A pooler that shares the server's connections, as PgBouncer before 1.21, cannot have prepared statements:
     * then no more are used.
     */
    lost(error: unknown): void {
      if (errorCodeOf(error) === PLAN_CHANGED) generation += 1
      else isSupported = false
    },
  }
}

/** A pooler may hand a connection on to another process: the same name must be the same statement everywhere. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url")
}
