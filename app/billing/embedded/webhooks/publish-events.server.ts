import { sql } from "kysely"
import type { EventStream, PublishedEvent } from "~/billing/webhook-repository"
import type { Instant } from "~/domain/calendar"
import type { WebhookEventRow } from "../db/schema/webhook-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"

const CURSOR = "webhook events"

/**
 * Gives committed events their positions: see `WebhookRepository.publish`. A position that a transaction took itself could
 * become visible after a higher one, and a reader who has seen that would miss it. A position is never below the time of its event
 * in milliseconds: a restored backup brings an old cursor back, and a reader who has seen more would miss what happens then.
 */
export async function publishEvents(ctx: DbContext, limit: number): Promise<number> {
  const waiting = await ctx.db
    .selectFrom("webhook_events")
    .select("id")
    .where("position", "is", null)
    .limit(1)
    .executeTakeFirst()
  return waiting ? inTransaction(ctx, (tx) => publish(tx, limit)) : 0
}

/** The plus keeps SQLite from searching each event among all that wait, instead of by its id. */
async function publish(tx: DbContext, limit: number): Promise<number> {
  const cursor = await lockedCursor(tx)
  const last = Math.max(cursor, await newestWaiting(tx, limit))
  const { rows } = await sql<{ id: string }>`
    update webhook_events set position = ${sql.lit(last)} + numbered.place
    from (
      select id, row_number() over (order by at, sequence, id) as place from (
        select id, at, sequence from webhook_events
        where position is null order by at, sequence, id limit ${sql.lit(limit)}
      ) as next
    ) as numbered
    where webhook_events.id = numbered.id and +webhook_events.position is null
    returning webhook_events.id`.execute(tx.db)
  await tx.db
    .updateTable("cursors")
    .set({ place: String(rows.length === 0 ? cursor : last + rows.length) })
    .where("name", "=", CURSOR)
    .execute()
  return rows.length
}

/** Time of the newest event that gets a position next; 0 without one. */
async function newestWaiting({ db }: DbContext, limit: number): Promise<Instant> {
  const row = await db
    .selectFrom((waiting) =>
      waiting
        .selectFrom("webhook_events")
        .select("at")
        .where("position", "is", null)
        .orderBy("at")
        .orderBy("sequence")
        .orderBy("id")
        .limit(limit)
        .as("waiting"),
    )
    .select(({ fn }) => fn.max("at").as("newest"))
    .executeTakeFirst()
  return Number(row?.newest ?? 0)
}

/** The last position given. Its row is locked until the end of the transaction: one publisher at a time. */
async function lockedCursor({ db }: DbContext): Promise<number> {
  const { place } = await db
    .insertInto("cursors")
    .values({ name: CURSOR, place: "0" })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((row) => ({ place: row.ref("cursors.place") })),
    )
    .returning("place")
    .executeTakeFirstOrThrow()
  return Number(place)
}

/** The stream of the events, and its last position: see `WebhookRepository.eventStream`. */
export async function eventStream(ctx: DbContext): Promise<EventStream> {
  const { id } = await ctx.db.selectFrom("event_streams").select("id").executeTakeFirstOrThrow()
  return { id, last: await lastPosition(ctx) }
}

/** Published events after a position: see `WebhookRepository.eventsAfter`. */
export async function eventsAfter(
  { db }: DbContext,
  position: number,
  limit: number,
): Promise<readonly PublishedEvent[]> {
  const rows = await db
    .selectFrom("webhook_events")
    .selectAll()
    .where("position", ">", position)
    .orderBy("position")
    .limit(limit)
    .execute()
  return rows.map((row) => ({ position: Number(row.position), event: eventOf(row) }))
}

/** The event as receivers get it. */
export function eventOf({
  id,
  type,
  at,
  sequence,
  data,
}: Pick<WebhookEventRow, "id" | "type" | "at" | "sequence" | "data">): PublishedEvent["event"] {
  return { id, type, timestamp: new Date(at).toISOString(), sequence, data: JSON.parse(data) }
}

/** The last position given; 0 before the first. */
export async function lastPosition({ db }: Pick<DbContext, "db">): Promise<number> {
  const row = await db.selectFrom("cursors").select("place").where("name", "=", CURSOR).executeTakeFirst()
  return Number(row?.place ?? 0)
}
