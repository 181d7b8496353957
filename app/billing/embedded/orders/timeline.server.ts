import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money"
import type { TimelineEvent, TimelineKind } from "~/domain/timeline"
import { WriteConflictError } from "../db/engines/database-errors.server"
import { precompiledQuery } from "../db/precompiled-query.server"
import type { EventRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"

/** What happened to an order, oldest first. */
export async function timeline(ctx: DbContext, orderId: string): Promise<readonly TimelineEvent[]> {
  return (await eventsOf(ctx, orderId)).map(eventOf)
}

const eventsOf = precompiledQuery(({ db }, orderId) =>
  db.selectFrom("order_events").selectAll().where("order_id", "=", orderId).orderBy("position"),
)

/** Something to tell of an order; `amount` and `reference` where they say more. */
export type NewTimelineEvent = {
  readonly kind: TimelineKind
  readonly at: Instant
  readonly amount?: Money | null
  readonly reference?: string | null
}

/**
 * Adds to the end of an order's timeline, as the last step of the transaction in which it happens. Throws
 * `Overtaken` when another transaction has told something meanwhile.
 */
export async function appendTimelineEvents(
  ctx: DbContext,
  orderId: string,
  happened: readonly NewTimelineEvent[],
): Promise<void> {
  if (happened.length === 0) return
  const last = await ctx.db
    .selectFrom("order_events")
    .select("position")
    .where("order_id", "=", orderId)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst()
  const first = (last?.position ?? 0) + 1
  await append(
    ctx,
    happened.map((it, index) => rowOf(orderId, first + index, it)),
  )
}

/**
 * Adds an event unless one of some kinds has been told since the line was last made anew. Place and decision come
 * from one look at the timeline, so that whatever is told in between leads to `Overtaken`, and to another look.
 */
export async function appendTimelineEventUnless(
  ctx: DbContext,
  orderId: string,
  { event, unless }: { event: NewTimelineEvent; unless: readonly TimelineKind[] },
): Promise<void> {
  const timelineEvent = await ctx.db
    .selectFrom("order_events")
    .select(["position", "kind"])
    .where("order_id", "=", orderId)
    .execute()
  const anew = Math.max(
    0,
    ...timelineEvent.filter(({ kind }) => kind === "recreated").map(({ position }) => position),
  )
  if (timelineEvent.some(({ kind, position }) => position > anew && unless.includes(kind))) return
  const last = Math.max(0, ...timelineEvent.map(({ position }) => position))
  await append(ctx, [rowOf(orderId, last + 1, event)])
}

async function append({ db }: DbContext, rows: readonly EventRow[]): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("order_events")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== BigInt(rows.length)) throw new WriteConflictError("Timeline")
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
