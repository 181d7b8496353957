import type { DueDelivery, WebhookEndpoint } from "~/billing/webhook-repository"
import type { LoggedServices } from "~/context/services.server"
import { type Instant, SECOND } from "~/domain/calendar"
import { afterFailure } from "~/domain/webhooks/delivery"
import { isSubscribed } from "~/domain/webhooks/subscription"
import type { WebhookConnection, WebhookSender } from "~/webhooks/webhook-sender"

/** Requests of an endpoint at once: its share, whatever the others do. */
const AT_ONCE = 4
/** Deliveries between two renewals of the lease: four after each other at most, of 15 seconds each. */
const BATCH = 16
/** If the instance that sends to an endpoint dies, another takes over after this time. */
const LEASE = 90 * SECOND
const ENQUEUED_AT_ONCE = 500
/** `randomInt` gives whole numbers: a random share is one of so many. */
const RANDOM_STEPS = 1_000

export type DeliveringServices = Pick<
  LoggedServices,
  "webhooks" | "outbox" | "now" | "log" | "randomInt" | "newId"
> & { readonly webhookSender: WebhookSender }

export type Deliveries = {
  /** Starts a sender for each endpoint that has something to send and none yet. Does not wait for them. */
  start(): Promise<void>
  /** Resolves when no sender runs. */
  idle(): Promise<void>
}

/**
 * Sends events to the endpoints: one sender for each, on one instance, with connections of its own, so that a receiver that hangs
 * delays no other. `signal` ends the senders; what was being sent then is sent again.
 */
export function deliveries(services: DeliveringServices, signal: AbortSignal): Deliveries {
  const holder = services.newId()
  const running = new Map<string, Promise<void>>()

  function begin(endpoint: WebhookEndpoint): void {
    const sender = sendAll(services, { endpointId: endpoint.id, holder, signal })
      .catch((error: unknown) =>
        services.log.error({ err: error, endpoint: endpoint.id }, "webhook sender failed"),
      )
      .finally(() => running.delete(endpoint.id))
    running.set(endpoint.id, sender)
  }

  return {
    async start() {
      const busy = await services.webhooks.busyEndpoints(services.now())
      if (signal.aborted) return
      for (const endpoint of busy) if (!running.has(endpoint.id)) begin(endpoint)
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

type Run = { readonly endpointId: string; readonly holder: string; readonly signal: AbortSignal }

/** Sends what is due to one endpoint until nothing is. */
async function sendAll(services: DeliveringServices, { endpointId, holder, signal }: Run): Promise<void> {
  const { webhooks, outbox, now, webhookSender } = services
  const connection = webhookSender.open(AT_ONCE)
  try {
    while (!signal.aborted && (await outbox.lease(`webhook ${endpointId}`, holder, now(), LEASE))) {
      const enqueued = await webhooks.enqueueDeliveries(endpointId, now(), ENQUEUED_AT_ONCE)
      const due = await webhooks.dueDeliveries(endpointId, now(), BATCH)
      if (due.length === 0 && enqueued < ENQUEUED_AT_ONCE) return
      if (!(await sendBatch(services, { endpointId, connection, due, signal }))) return
    }
  } finally {
    await connection.close()
  }
}

type Batch = {
  readonly endpointId: string
  readonly connection: WebhookConnection
  readonly due: readonly DueDelivery[]
  readonly signal: AbortSignal
}

/** False: nothing more is sent for now, since the endpoint is paused or its receiver has asked for a pause. */
async function sendBatch(
  services: DeliveringServices,
  { endpointId, due, connection, signal }: Batch,
): Promise<boolean> {
  const endpoint = await services.webhooks.endpoint(endpointId)
  if (!endpoint || !maySend(endpoint, services.now())) return false
  const waiting = [...due]
  let isHeld = false
  const sendWaiting = async () => {
    for (let next = waiting.shift(); next && !isHeld && !signal.aborted; next = waiting.shift()) {
      isHeld = (await sendOne(services, endpoint, { connection, signal, delivery: next })) || isHeld
    }
  }
  // Waits for all before the first failure is thrown.
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, sendWaiting))
  const failed = ended.find((it) => it.status === "rejected")
  if (failed) throw failed.reason
  return !isHeld
}

function maySend({ state, holdUntil }: WebhookEndpoint, now: Instant): boolean {
  return state === "active" && (holdUntil === null || holdUntil <= now)
}

const GONE = 410

type One = Pick<Batch, "connection" | "signal"> & { readonly delivery: DueDelivery }

/** Sends one event and notes the result. Whether the endpoint gets nothing more for now. */
async function sendOne(
  { webhooks, now, randomInt }: DeliveringServices,
  endpoint: WebhookEndpoint,
  { connection, delivery, signal }: One,
): Promise<boolean> {
  const { event, tries } = delivery
  if (!isSubscribed(endpoint.subscriptions, event.type)) {
    await webhooks.skipDelivery(endpoint.id, event.id)
    return false
  }
  const message = { ...messageTo(endpoint, now()), id: event.id, body: JSON.stringify(event) }
  const { status, error, response, retryAfter, tookMs } = await connection.send(message, signal)
  // The process stops: the next one sends it again.
  if (error !== null && signal.aborted) return true
  const at = now()
  const tried = { eventId: event.id, at, tookMs, status, error, response }
  if (error === null) {
    await webhooks.noteTry(endpoint.id, { ...tried, state: "delivered", due: null, holdUntil: null })
    return false
  }
  const random = randomInt(RANDOM_STEPS) / RANDOM_STEPS
  const { due, holdUntil } = afterFailure({ tries: tries + 1, status, retryAfter, at, random })
  const state = due === null ? "failed" : "waiting"
  await webhooks.noteTry(endpoint.id, { ...tried, state, due, holdUntil })
  return holdUntil !== null || status === GONE
}

/** What every message to an endpoint has in common. For a day after a rotation both secrets sign. */
export function messageTo({ url, sealedSecret, former }: WebhookEndpoint, at: Instant) {
  const sealedSecrets =
    former !== null && former.until > at ? [sealedSecret, former.sealedSecret] : [sealedSecret]
  return { url, sealedSecrets }
}
