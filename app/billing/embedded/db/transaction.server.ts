import { setTimeout } from "node:timers/promises"
import type { Kysely } from "kysely"
import type { DocumentPolicy } from "~/billing/documents/document-policy"
import type { MailPolicy } from "~/billing/mail-repository"
import type { TermPolicy } from "~/billing/services/term-policy"
import type { TaxPolicy } from "~/billing/tax-policy"
import type { WebhookPolicy } from "~/billing/webhook-repository"
import type { Instant } from "~/domain/calendar"
import { maxAttemptsFor, toBillingError } from "./engines/database-errors.server"
import type { Tables } from "./schema/schema"

/** Database or current transaction, and a generator of ids for new rows. */
export type DbContext = {
  readonly db: Kysely<Tables>
  readonly newId: () => string
  /** The clock by which scheduled prices come into force; absent: the machine's. */
  readonly now?: (() => Instant) | undefined
  /** The messages that are enqueued; absent: none, since no mail server is configured. */
  readonly mail?: MailPolicy | undefined
  /** The rules for terms; absent: services have none, as with an external billing. */
  readonly terms?: TermPolicy | undefined
  /** How orders are taxed; absent: they are not. */
  readonly tax?: TaxPolicy | undefined
  /** How invoices and credit notes are issued; absent: they are not, as with an external billing. */
  readonly documents?: DocumentPolicy | undefined
  /**
   * An external billing takes the payments (`ExternalBilling.payments`), so money that no order needs is with it, as credit there: none
   * becomes account credit here, and none pays an order. Absent: this shop has the money.
   */
  readonly isCreditExternal?: boolean | undefined
  /** When events for the operator's systems are written; absent: once there is an endpoint. */
  readonly webhooks?: WebhookPolicy | undefined
}

/** The present instant of reads that are given none. */
export function nowIn({ now = Date.now }: Pick<DbContext, "now">): Instant {
  return now()
}

const MAX_PAUSE_MS = 20

/**
 * Runs `work` in a transaction and returns its result. Retries it from the start after a write conflict, deadlock or
 * serialization failure (`maxAttemptsFor`), so `work` must read its data inside and have no other side effects.
 * Within another transaction it is a part of that one, which is retried as a whole.
 * Lock order, to avoid deadlocks: attempt, order, invoice, service, promotion, outbox, document numbers, timeline, mail, webhook
 * events.
 */
export async function inTransaction<T>(ctx: DbContext, work: (tx: DbContext) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  for (let tries = 1; ; tries++) {
    try {
      return await ctx.db.transaction().execute((db) => work({ ...ctx, db }))
    } catch (error) {
      if (tries >= maxAttemptsFor(error)) throw error
      await setTimeout(Math.random() * Math.min(tries * 2, MAX_PAUSE_MS))
    }
  }
}

/** Awaits a database call and maps database errors to `BillingError` (`toBillingError`). */
export async function withBillingErrors<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (error) {
    throw toBillingError(error)
  }
}

type Operation = (ctx: DbContext, ...args: never[]) => Promise<unknown>

/** The operations of a port `T` as functions of the database. */
export type Operations<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (ctx: DbContext, ...args: Args) => Result
    : never
}

/** Implements a port on the database: every operation of the record receives `ctx` as its first argument. */
export function bound<T>(ctx: DbContext, operations: Operations<T>): T {
  return boundBy(ctx, operations, (result) => result)
}

/** Like `bound`; database errors become `BillingError`s (`toBillingError`). */
export function guarded<T>(ctx: DbContext, operations: Operations<T>): T {
  return boundBy(ctx, operations, withBillingErrors)
}

type Wrap = (result: Promise<unknown>) => Promise<unknown>

function boundBy<T>(ctx: DbContext, operations: Operations<T>, wrap: Wrap): T {
  const methods = Object.entries<Operation>(operations as Record<string, Operation>)
  return Object.fromEntries(
    methods.map(([name, run]) => [name, async (...args: never[]) => wrap(run(ctx, ...args))]),
  ) as T
}
