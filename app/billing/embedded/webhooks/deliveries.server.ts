import { sql } from "kysely"
import {
  type DeliveryFilter,
  type DueDelivery,
  PENDING_LIMIT,
  type Redelivery,
  type TriedDelivery,
  type WebhookDelivery,
  type WebhookEndpoint,
} from "~/billing/webhook-repository"
import type { Instant } from "~/domain/calendar"
import { isSubscribed, typesOf } from "~/domain/webhooks/subscription"
import type { WebhookDeliveryRow } from "../db/schema/webhook-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { endpoint, endpointOf, pauseEndpoint } from "./endpoints.server"
import { eventOf, lastPosition } from "./publish-events.server"

/** Active endpoints that have something to send: see `WebhookRepository.busyEndpoints`. */
export async function busyEndpoints(ctx: DbContext, now: Instant): Promise<readonly WebhookEndpoint[]> {
  const last = await lastPosition(ctx)
  const rows = await ctx.db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("state", "=", "active")
    .where((row) => row.or([row("hold_until", "is", null), row("hold_until", "<=", now)]))
    .where((row) =>
      row.or([
        row("position", "<", last),
        row.exists(
          row
            .selectFrom("webhook_deliveries")
            .select("event_id")
            .whereRef("webhook_deliveries.endpoint_id", "=", "webhook_endpoints.id")
            .where("webhook_deliveries.state", "=", "waiting")
            .where("webhook_deliveries.due", "<=", now),
        ),
      ]),
    )
    .execute()
  return rows.map(endpointOf)
}

/** Enqueues deliveries of the next events: see `WebhookRepository.enqueueDeliveries`. */
export async function enqueueDeliveries(
  ctx: DbContext,
  id: string,
  at: Instant,
  limit: number,
): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const found = await endpoint(tx, id)
    if (found?.state !== "active") return 0
    const events = await tx.db
      .selectFrom("webhook_events")
      .select(["id", "type", "position"])
      .where("position", ">", found.position)
      .orderBy("position")
      .limit(limit)
      .execute()
    const last = events.at(-1)
    if (last === undefined) return 0
    const { numUpdatedRows } = await tx.db
      .updateTable("webhook_endpoints")
      .set({ position: Number(last.position) })
      .where("id", "=", id)
      .where("position", "=", found.position)
      .executeTakeFirst()
    // Another instance has enqueued them.
    if (numUpdatedRows !== 1n) return 0
    const wanted = events.filter(({ type }) => isSubscribed(found.subscriptions, type))
    await insertWaiting(tx, id, { events: wanted, at })
    return events.length
  })
}

type EventPosition = { readonly id: string; readonly position: number | null }

/** Makes deliveries due; those that exist already are sent again. */
async function insertWaiting(
  { db }: DbContext,
  endpointId: string,
  { events, at }: { readonly events: readonly EventPosition[]; readonly at: Instant },
): Promise<void> {
  if (events.length === 0) return
  const waiting = { state: "waiting", tries: 0, due: at } as const
  await db
    .insertInto("webhook_deliveries")
    .values(
      events.map(({ id, position }) => ({
        endpoint_id: endpointId,
        event_id: id,
        position: Number(position),
        ...waiting,
        tried_at: null,
        took_ms: null,
        status: null,
        error: null,
        response: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(["endpoint_id", "event_id"]).doUpdateSet(waiting))
    .execute()
}

/** Deliveries that are due, oldest event first among those due at the same time: see `WebhookRepository.dueDeliveries`. */
export async function dueDeliveries(
  { db }: DbContext,
  id: string,
  now: Instant,
  limit: number,
): Promise<readonly DueDelivery[]> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .innerJoin("webhook_events", "webhook_events.id", "webhook_deliveries.event_id")
    .select(["webhook_events.id", "webhook_events.type", "webhook_events.at", "webhook_events.sequence"])
    .select(["webhook_events.data", "webhook_deliveries.tries"])
    .where("webhook_deliveries.endpoint_id", "=", id)
    .where("webhook_deliveries.state", "=", "waiting")
    .where("webhook_deliveries.due", "<=", now)
    .orderBy("webhook_deliveries.due")
    .orderBy("webhook_deliveries.position")
    .limit(limit)
    .execute()
  return rows.map((row) => ({ event: eventOf(row), tries: row.tries }))
}

/** Notes the result of a try: see `WebhookRepository.noteTry`. */
export async function noteTry(ctx: DbContext, id: string, tried: TriedDelivery): Promise<void> {
  const { eventId, state, at, due, holdUntil, tookMs, status, error, response } = tried
  // An answer to another event that was on its way does not end a pause that the receiver has asked for.
  const held = sql<Instant | null>`
    case when hold_until > ${sql.lit(holdUntil ?? at)} then hold_until else ${sql.lit(holdUntil)} end`
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .updateTable("webhook_deliveries")
      .set((row) => ({
        state,
        due: due ?? at,
        tries: row("tries", "+", 1),
        tried_at: at,
        took_ms: tookMs,
        status,
        error,
        response,
      }))
      .where("endpoint_id", "=", id)
      .where("event_id", "=", eventId)
      .execute()
    await tx.db
      .updateTable("webhook_endpoints")
      .set({
        hold_until: held,
        ...(state === "delivered"
          ? { failing_since: null, succeeded_at: at }
          : { failing_since: sql<Instant>`coalesce(failing_since, ${sql.lit(at)})` }),
      })
      .where("id", "=", id)
      .execute()
    if (status === GONE) await pauseEndpoint(tx, id, "gone", at)
  })
}

const GONE = 410

/** Notes that an event is not sent, since the endpoint does not subscribe to its type any more. */
export async function skipDelivery({ db }: DbContext, id: string, eventId: string): Promise<void> {
  await db
    .updateTable("webhook_deliveries")
    .set({ state: "skipped" })
    .where("endpoint_id", "=", id)
    .where("event_id", "=", eventId)
    .execute()
}

const BATCH = 500

/** Sends events again: see `WebhookRepository.redeliver`. */
export async function redeliver(ctx: DbContext, id: string, which: Redelivery, at: Instant): Promise<number> {
  const found = await endpoint(ctx, id)
  if (!found) return 0
  const events = (await eventsMeant(ctx, which)).filter(
    ({ type, position }) => position !== null && isSubscribed(found.subscriptions, type),
  )
  for (let from = 0; from < events.length; from += BATCH) {
    const part = events.slice(from, from + BATCH)
    await inTransaction(ctx, (tx) => insertWaiting(tx, id, { events: part, at }))
  }
  return events.length
}

function eventsMeant({ db }: DbContext, which: Redelivery) {
  const events = db.selectFrom("webhook_events").select(["id", "type", "position"])
  if ("eventId" in which) return events.where("id", "=", which.eventId).execute()
  return events.where("at", ">=", which.from).where("at", "<", which.until).orderBy("at").execute()
}

/** Deliveries of an endpoint, newest event first: see `WebhookRepository.deliveries`. */
export async function deliveries(
  { db }: DbContext,
  id: string,
  { state, limit, before }: DeliveryFilter,
): Promise<readonly WebhookDelivery[]> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .innerJoin("webhook_events", "webhook_events.id", "webhook_deliveries.event_id")
    .selectAll("webhook_deliveries")
    .select(["webhook_events.type", "webhook_events.at"])
    .where("webhook_deliveries.endpoint_id", "=", id)
    .$if(state !== null, (query) => query.where("webhook_deliveries.state", "=", state ?? "waiting"))
    .$if(before !== undefined, (query) => query.where("webhook_deliveries.position", "<", before ?? 0))
    .orderBy("webhook_deliveries.position", "desc")
    .limit(limit)
    .execute()
  return rows.map(deliveryOf)
}

/** How many events an endpoint is still to get: see `WebhookRepository.pending`. */
export async function pending(
  { db }: DbContext,
  { id, position, subscriptions }: WebhookEndpoint,
): Promise<number> {
  const types = typesOf(subscriptions)
  const waiting = db
    .selectFrom("webhook_deliveries")
    .select("event_id")
    .where("endpoint_id", "=", id)
    .where("state", "=", "waiting")
    .limit(PENDING_LIMIT)
  const coming = db
    .selectFrom("webhook_events")
    .select("id")
    .where("position", ">", position)
    .$if(types.length > 0, (query) => query.where("type", "in", types))
    .limit(types.length > 0 ? PENDING_LIMIT : 0)
  const counts = await Promise.all([
    db
      .selectFrom(waiting.as("found"))
      .select(({ fn }) => fn.countAll().as("count"))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom(coming.as("found"))
      .select(({ fn }) => fn.countAll().as("count"))
      .executeTakeFirstOrThrow(),
  ])
  return Math.min(
    counts.reduce((sum, { count }) => sum + Number(count), 0),
    PENDING_LIMIT,
  )
}

function deliveryOf(
  row: WebhookDeliveryRow & { readonly type: WebhookDelivery["type"]; readonly at: Instant },
): WebhookDelivery {
  return {
    eventId: row.event_id,
    type: row.type,
    position: Number(row.position),
    at: row.at,
    state: row.state,
    tries: row.tries,
    due: row.state === "waiting" ? row.due : null,
    triedAt: row.tried_at,
    tookMs: row.took_ms,
    status: row.status,
    error: row.error,
    response: row.response,
  }
}
