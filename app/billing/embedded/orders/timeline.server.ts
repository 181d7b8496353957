import { type Expression, sql } from "kysely"
import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import type { TimelineEvent, TimelineKind } from "~/domain/orders/timeline"
import { WriteConflictError } from "../db/engines/database-errors.server"
import { precompiledQuery } from "../db/precompiled-query.server"
import type { EventRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { enqueueEventMails } from "../mail/event-mails.server"
import { hasEndpoint } from "../webhooks/append-events.server"
import { appendOrderWebhookEvents } from "../webhooks/timeline-events.server"

/** Timeline events of an order, oldest first. */
export async function timeline(ctx: DbContext, orderId: string): Promise<readonly TimelineEvent[]> {
  return (await eventsOf(ctx, orderId)).map(eventOf)
}

const eventsOf = precompiledQuery(({ db }, orderId) =>
  db.selectFrom("order_events").selectAll().where("order_id", "=", orderId).orderBy("position"),
)

/** A timeline event to append. */
export type NewTimelineEvent = {
  readonly kind: TimelineKind
  readonly at: Instant
  readonly amount?: Money | null
  readonly reference?: string | null
}

/**
 * Appends events to an order's timeline, as the last step of the transaction that causes them. Throws
 * `WriteConflictError` if another transaction has appended events in the meantime.
 */
export async function appendTimelineEvents(
  ctx: DbContext,
  orderId: string,
  happened: readonly NewTimelineEvent[],
): Promise<void> {
  if (happened.length === 0) return
  const before = ctx.db
    .selectFrom("order_events")
    .select((row) => row.fn.coalesce(row.fn.max("position"), row.lit(0)).as("last"))
    .where("order_id", "=", orderId)
  await append(
    ctx,
    happened.map((it, index) => ({
      ...rowOf(orderId, index + 1, it),
      position: sql<number>`${before} + ${sql.lit(index + 1)}`,
    })),
  )
}

/**
 * Appends an event unless one of the kinds `unless` has been recorded since the service was last recreated. Position
 * and decision come from one query, so a concurrent event causes `WriteConflictError`, and the transaction is retried.
 */
export async function appendTimelineEventUnless(
  ctx: DbContext,
  orderId: string,
  { event, unless }: { event: NewTimelineEvent; unless: readonly TimelineKind[] },
): Promise<void> {
  const events = await ctx.db
    .selectFrom("order_events")
    .select(["position", "kind"])
    .where("order_id", "=", orderId)
    .execute()
  const recreated = Math.max(
    0,
    ...events.filter(({ kind }) => kind === "recreated").map(({ position }) => position),
  )
  if (events.some(({ kind, position }) => position > recreated && unless.includes(kind))) return
  const last = Math.max(0, ...events.map(({ position }) => position))
  await append(ctx, [rowOf(orderId, last + 1, event)])
}

type NewRow = Omit<EventRow, "position"> & { readonly position: number | Expression<number> }

/** Inserts events, and the messages and webhook events that they cause: no crash comes between them. */
async function append(ctx: DbContext, rows: readonly NewRow[]): Promise<void> {
  const inserted = await ctx.db
    .insertInto("order_events")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .returning(hasEndpoint.as("has_endpoint"))
    .execute()
  if (inserted.length !== rows.length) throw new WriteConflictError("Timeline")
  await enqueueEventMails(ctx, inserted)
  if (ctx.webhooks?.always || inserted[0]?.has_endpoint === 1) await appendOrderWebhookEvents(ctx, inserted)
}

function rowOf(
  orderId: string,
  position: number,
  { kind, at, amount, reference }: NewTimelineEvent,
): EventRow {
  return {
    order_id: orderId,
    position,
    kind,
    at,
    amount: amount?.minor ?? null,
    currency: amount?.currency ?? null,
    reference: reference ?? null,
  }
}

function eventOf({ kind, at, amount, currency, reference }: EventRow): TimelineEvent {
  const result = amount !== null && currency !== null ? money(amount, currency) : null
  return { kind, at, amount: result, reference }
}
