import type {
  EditedEndpoint,
  EndpointChanges,
  NewEndpoint,
  WebhookEndpoint,
  WebhookRepository,
} from "~/billing/webhook-repository"
import type { Instant } from "~/domain/calendar"
import {
  ALERTED_AFTER,
  PAUSED_AFTER,
  type PauseReason,
  type WebhookDeliveryState,
} from "~/domain/webhooks/delivery"
import { subscriptionsIn } from "~/domain/webhooks/subscription"
import type { WebhookEndpointRow } from "../db/schema/webhook-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { enqueueMail } from "../mail/enqueue-mail.server"
import { lastPosition } from "./publish-events.server"

/** Adds an endpoint, which gets the events from now on: see `WebhookRepository.addEndpoint`. */
export async function addEndpoint(ctx: DbContext, endpoint: NewEndpoint): Promise<void> {
  const { id, url, description, subscriptions, sealedSecret, at } = endpoint
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .insertInto("webhook_endpoints")
      .values({
        id,
        url,
        description,
        subscriptions: subscriptions.join(","),
        secret: sealedSecret,
        former_secret: null,
        former_until: null,
        state: "active",
        pause_reason: null,
        paused_at: null,
        position: await lastPosition(tx),
        hold_until: null,
        failing_since: null,
        succeeded_at: null,
        created_at: at,
      })
      .execute()
  })
}

/** All endpoints, oldest first: an operator has few. */
export async function endpoints({ db }: DbContext): Promise<readonly WebhookEndpoint[]> {
  const rows = await db.selectFrom("webhook_endpoints").selectAll().orderBy("id").execute()
  return rows.map(endpointOf).toSorted((a, b) => a.createdAt - b.createdAt)
}

/** An endpoint; null for an unknown one. */
export async function endpoint({ db }: DbContext, id: string): Promise<WebhookEndpoint | null> {
  const row = await db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirst()
  return row ? endpointOf(row) : null
}

/** Changes what was given: see `WebhookRepository.editEndpoint`. */
export async function editEndpoint(
  ctx: DbContext,
  id: string,
  changes: EndpointChanges,
  at: Instant,
  seen?: EditedEndpoint,
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    // Locks the row: of two changes at once the second reads the first.
    await update(tx, id, { id })
    const former = await endpoint(tx, id)
    if (!former || !isAsSeen(former, seen)) return false
    if (changes.url !== undefined && changes.url !== former.url) await restartDeliveries(tx, id, at)
    return update(tx, id, { ...columnsOf(changes, former), hold_until: null })
  })
}

function columnsOf({ url, description, subscriptions }: EndpointChanges, former: EditedEndpoint) {
  const isOther = subscriptions?.join() !== former.subscriptions.join()
  return {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(subscriptions !== undefined && { subscriptions: subscriptions.join(",") }),
    // The type that the receiver has refused may be gone; another failure counts from its own time.
    ...(subscriptions !== undefined && isOther && { failing_since: null }),
  }
}

function isAsSeen(former: EditedEndpoint, seen: EditedEndpoint = former): boolean {
  return (
    former.url === seen.url &&
    former.description === seen.description &&
    former.subscriptions.join() === seen.subscriptions.join()
  )
}

/** What the former receiver has refused says nothing of the one at another URL. */
async function restartDeliveries(tx: DbContext, id: string, at: Instant): Promise<void> {
  await update(tx, id, { failing_since: null })
  await makeDue(tx, id, { states: ["waiting"], at })
}

type Due = { readonly states: readonly WebhookDeliveryState[]; readonly at: Instant }

/** Makes deliveries due now, as if none of them had been tried. */
async function makeDue({ db }: DbContext, id: string, { states, at }: Due): Promise<void> {
  await db
    .updateTable("webhook_deliveries")
    .set({ state: "waiting", tries: 0, due: at })
    .where("endpoint_id", "=", id)
    .where("state", "in", states)
    .execute()
}

/** Replaces the secret; the former one signs too until `formerUntil`. */
export async function rotateSecret(
  { db }: DbContext,
  id: string,
  { sealedSecret, formerUntil, replaced }: Parameters<WebhookRepository["rotateSecret"]>[1],
): Promise<boolean> {
  const changed = await db
    .updateTable("webhook_endpoints")
    .set((row) => ({
      former_secret: row.ref("secret"),
      former_until: formerUntil,
      secret: sealedSecret,
    }))
    .where("id", "=", id)
    .where("secret", "=", replaced)
    .returning("id")
    .executeTakeFirst()
  return changed !== undefined
}

/** Pauses an active endpoint; false if it is not active. The operator is told unless the operator did it. */
export async function pauseEndpoint(
  ctx: DbContext,
  id: string,
  reason: PauseReason,
  at: Instant,
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const paused = await tx.db
      .updateTable("webhook_endpoints")
      .set({ state: "paused", pause_reason: reason, paused_at: at })
      .where("id", "=", id)
      .where("state", "=", "active")
      .returning("url")
      .executeTakeFirst()
    if (!paused) return false
    const name = "operator-webhook-paused"
    if (reason !== "operator")
      await enqueueMail(tx, { name, onceKey: `${name} ${id} ${at}`, detail: namedBy(id, paused.url), at })
    return true
  })
}

/**
 * Resumes a paused endpoint: what was not delivered is due now, the oldest first, and the events since then follow. False if it is
 * not paused.
 */
export async function resumeEndpoint(ctx: DbContext, id: string, at: Instant): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const resumed = await tx.db
      .updateTable("webhook_endpoints")
      .set({ state: "active", pause_reason: null, paused_at: null, failing_since: null, hold_until: null })
      .where("id", "=", id)
      .where("state", "=", "paused")
      .returning("id")
      .executeTakeFirst()
    if (!resumed) return false
    await makeDue(tx, id, { states: ["waiting", "failed"], at })
    return true
  })
}

/** Removes an endpoint with its deliveries; false for an unknown one. */
export async function removeEndpoint(ctx: DbContext, id: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    await tx.db.deleteFrom("webhook_deliveries").where("endpoint_id", "=", id).execute()
    const removed = await tx.db
      .deleteFrom("webhook_endpoints")
      .where("id", "=", id)
      .returning("id")
      .executeTakeFirst()
    return removed !== undefined
  })
}

/** Alerts about endpoints that fail, and pauses those that have failed for days: see `WebhookRepository.watchEndpoints`. */
export async function watchEndpoints(ctx: DbContext, now: Instant): Promise<void> {
  const failing = (await endpoints(ctx)).filter(
    ({ state, failingSince }) =>
      state === "active" && failingSince !== null && failingSince <= now - ALERTED_AFTER,
  )
  for (const { id, url, failingSince } of failing) {
    const since = failingSince ?? now
    if (since <= now - PAUSED_AFTER) {
      await pauseEndpoint(ctx, id, "failing", now)
      continue
    }
    const name = "operator-webhook-failing"
    const onceKey = `${name} ${id} ${since}`
    await inTransaction(ctx, (tx) => enqueueMail(tx, { name, onceKey, detail: namedBy(id, url), at: now }))
  }
}

/** Path and query of a receiver's URL may be secret. */
function namedBy(id: string, url: string): string {
  return `${new URL(url).host} (${id})`
}

async function update({ db }: DbContext, id: string, changes: Partial<WebhookEndpointRow>): Promise<boolean> {
  const changed = await db
    .updateTable("webhook_endpoints")
    .set(changes)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst()
  return changed !== undefined
}

export function endpointOf(row: WebhookEndpointRow): WebhookEndpoint {
  const { former_secret: formerSecret, former_until: formerUntil } = row
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    subscriptions: subscriptionsIn(row.subscriptions) ?? [],
    sealedSecret: row.secret,
    former:
      formerSecret === null || formerUntil === null
        ? null
        : { sealedSecret: formerSecret, until: formerUntil },
    state: row.state,
    pauseReason: row.pause_reason,
    pausedAt: row.paused_at,
    position: Number(row.position),
    holdUntil: row.hold_until,
    failingSince: row.failing_since,
    succeededAt: row.succeeded_at,
    createdAt: row.created_at,
  }
}
