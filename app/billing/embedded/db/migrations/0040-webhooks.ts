import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const webhooks: Migration = { up }

/** Events for the operator's systems, the endpoints that get them, and the delivery of each event to each endpoint. */
async function up(db: Kysely<unknown>): Promise<void> {
  await createEvents(db)
  await createEndpoints(db)
  await createDeliveries(db)
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("webhook_events")
    .addColumn("id", "text", id)
    .addColumn("type", "text", required)
    .addColumn("object", "text", required)
    .addColumn("object_id", "text", required)
    .addColumn("sequence", "bigint", required)
    .addColumn("data", "text", required)
    .addColumn("client_id", "text")
    .addColumn("at", "bigint", required)
    // Given after the commit, so that a reader who has seen a position misses no event before it.
    .addColumn("position", "bigint")
    .execute()
  await db.schema
    .createIndex("webhook_events_by_object")
    .unique()
    .on("webhook_events")
    .columns(["object", "object_id", "sequence"])
    .execute()
  await db.schema
    .createIndex("webhook_events_by_position")
    .unique()
    .on("webhook_events")
    .column("position")
    .execute()
  await sql`create index webhook_events_without_position on webhook_events (at, sequence, id) where position is null`.execute(
    db,
  )
  await db.schema.createIndex("webhook_events_by_time").on("webhook_events").columns(["at", "id"]).execute()
  await db.schema.createIndex("webhook_events_by_client").on("webhook_events").column("client_id").execute()
}

async function createEndpoints(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("webhook_endpoints")
    .addColumn("id", "text", id)
    .addColumn("url", "text", required)
    .addColumn("description", "text", required)
    .addColumn("subscriptions", "text", required)
    // Sealed.
    .addColumn("secret", "text", required)
    .addColumn("former_secret", "text")
    .addColumn("former_until", "bigint")
    .addColumn("state", "text", required)
    .addColumn("pause_reason", "text")
    .addColumn("paused_at", "bigint")
    // Events up to this position have a delivery, or are of no type that the endpoint has subscribed to.
    .addColumn("position", "bigint", required)
    .addColumn("hold_until", "bigint")
    .addColumn("failing_since", "bigint")
    .addColumn("succeeded_at", "bigint")
    .addColumn("created_at", "bigint", required)
    .execute()
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("webhook_deliveries")
    .addColumn("endpoint_id", "text", refersTo("webhook_endpoints.id"))
    .addColumn("event_id", "text", refersTo("webhook_events.id"))
    .addColumn("position", "bigint", required)
    .addColumn("state", "text", required)
    .addColumn("tries", "integer", required)
    .addColumn("due", "bigint", required)
    .addColumn("tried_at", "bigint")
    .addColumn("took_ms", "bigint")
    .addColumn("status", "integer")
    .addColumn("error", "text")
    .addColumn("response", "text")
    .addPrimaryKeyConstraint("webhook_deliveries_pkey", ["endpoint_id", "event_id"])
    .execute()
  await db.schema
    .createIndex("webhook_deliveries_by_due")
    .on("webhook_deliveries")
    .columns(["endpoint_id", "state", "due", "position"])
    .execute()
  await db.schema
    .createIndex("webhook_deliveries_by_position")
    .on("webhook_deliveries")
    .columns(["endpoint_id", "position"])
    .execute()
  await db.schema
    .createIndex("webhook_deliveries_by_event")
    .on("webhook_deliveries")
    .column("event_id")
    .execute()
}
