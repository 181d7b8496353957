import { DAY, type Instant } from "~/domain/calendar"
import { type DbContext, inTransaction } from "../db/transaction.server"

/** How long events are kept for an endpoint that is paused, and for pollers. */
const KEPT = 90 * DAY
const BATCH = 500

/** Deletes old events with their deliveries: see `WebhookRepository.deleteOld`. */
export async function deleteOldEvents(ctx: DbContext, now: Instant): Promise<number> {
  const old = await ctx.db
    .selectFrom("webhook_events")
    .select("id")
    .where("at", "<", now - KEPT)
    .orderBy("at")
    .limit(BATCH)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await inTransaction(ctx, (tx) => deleteEvents(tx, ids))
  return ids.length
}

/** Deletes the events that contain data of customers, in the current transaction. */
export async function deleteEventsOf(tx: DbContext, clientIds: readonly string[]): Promise<void> {
  const events = await tx.db
    .selectFrom("webhook_events")
    .select("id")
    .where("client_id", "in", clientIds)
    .execute()
  for (let from = 0; from < events.length; from += BATCH)
    await deleteEvents(
      tx,
      events.slice(from, from + BATCH).map(({ id }) => id),
    )
}

async function deleteEvents({ db }: DbContext, ids: readonly string[]): Promise<void> {
  await db.deleteFrom("webhook_deliveries").where("event_id", "in", ids).execute()
  await db.deleteFrom("webhook_events").where("id", "in", ids).execute()
}
