import { setTimeout } from "node:timers/promises"
import type { Kysely } from "kysely"
import { maxAttemptsFor, toBillingError } from "./engines/database-errors.server"
import type { Tables } from "./schema/schema"

/** What every page of the books needs: the database, or the transaction it is part of, and names for new rows. */
export type DbContext = { readonly db: Kysely<Tables>; readonly newId: () => string }

const MAX_PAUSE_MS = 20

/**
 * All of the work or nothing. Work that was overtaken, or that the engine asks to repeat, is done again from the
 * start: it must read what it decides by inside. Locks are taken in one order everywhere, so that transactions
 * wait for each other rather than block each other: attempt, order, invoice, service, promotion, outbox, timeline.
 */
export async function inTransaction<T>(ctx: DbContext, work: (tx: DbContext) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ctx.db.transaction().execute((db) => work({ ...ctx, db }))
    } catch (error) {
      if (tries >= maxAttemptsFor(error)) throw error
      await setTimeout(Math.random() * Math.min(tries * 2, MAX_PAUSE_MS))
    }
  }
}

/** An answer of the books whose failures speak the port's language (`BillingError`). */
export async function withBillingErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw toBillingError(error)
  }
}
