import { type Expression, sql } from "kysely"
import type { Instant } from "~/domain/calendar"
import type { EventData } from "~/domain/webhooks/event-schemas"
import type { WebhookEventType } from "~/domain/webhooks/event-types"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { WebhookEventRow } from "../db/schema/webhook-rows"
import type { DbContext } from "../db/transaction.server"

/** An event of an object, with the object's state after the change. */
export type NewWebhookEvent = {
  readonly [Type in WebhookEventType]: {
    readonly type: Type
    readonly object: "order" | "service" | "customer" | "gateway"
    readonly objectId: string
    readonly at: Instant
    readonly data: EventData[Type]
    /** Whose data it contains. */
    readonly clientId: string | null
  }
}[WebhookEventType]

/** Column of a statement that tells, without a statement of its own, whether an endpoint exists: 0 or 1. */
export const hasEndpoint = sql<number>`case when exists (select 1 from webhook_endpoints) then 1 else 0 end`

/** Whether events are written: for pollers always, for endpoints once there is one. */
export async function areEventsWanted(ctx: DbContext): Promise<boolean> {
  if (ctx.webhooks?.always) return true
  const { rows } = await sql<{ found: number }>`select ${hasEndpoint} as found`.execute(ctx.db)
  return rows[0]?.found === 1
}

/**
 * Writes events in the transaction that causes them, in one statement; call it only if `areEventsWanted`. The sequence of an
 * object continues after the events that were deleted, since it is never below the time in milliseconds. Throws
 * `WriteConflictError` if another transaction has written an event of the object in the meantime.
 */
export async function appendWebhookEvents(ctx: DbContext, events: readonly NewWebhookEvent[]): Promise<void> {
  if (events.length === 0) return
  const inserted = await ctx.db
    .insertInto("webhook_events")
    .values(events.map((event, index) => rowOf(ctx, event, index)))
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .execute()
  if (inserted.length !== events.length) throw new WriteConflictError("Webhook events")
}

type NewRow = Omit<WebhookEventRow, "sequence"> & { readonly sequence: Expression<number> }

function rowOf(ctx: DbContext, event: NewWebhookEvent, index: number): NewRow {
  const { type, object, objectId, at, data, clientId } = event
  const last = ctx.db
    .selectFrom("webhook_events")
    .select((row) => row.fn.coalesce(row.fn.max("sequence"), row.lit(0)).as("last"))
    .where("object", "=", object)
    .where("object_id", "=", objectId)
  const next = sql<number>`case when ${last} >= ${sql.lit(at)} then ${last} + 1 else ${sql.lit(at)} end`
  return {
    id: `evt_${ctx.newId()}`,
    type,
    object,
    object_id: objectId,
    sequence: sql<number>`${next} + ${sql.lit(index)}`,
    data: JSON.stringify(data),
    client_id: clientId,
    at,
    position: null,
  }
}
