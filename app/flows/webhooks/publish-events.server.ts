import type { LoggedServices } from "~/context/services.server"
import { HOUR, type Instant, MINUTE } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { deleteInBatches } from "~/flows/jobs/delete-in-batches.server"

const BATCH = 500
/** If the instance that watches dies, another takes over after this time. */
const LEASE = 1 * MINUTE
const CLEAN_EVERY = 1 * HOUR

type Publishing = Pick<LoggedServices, "webhooks">

/** Publishes all events of committed transactions: from then on pollers see them. Safe on several instances at once. */
export async function publishEvents({ webhooks }: Publishing): Promise<void> {
  while ((await webhooks.publish(BATCH)) === BATCH);
}

type Needed = Pick<
  LoggedServices,
  "webhooks" | "outbox" | "gateways" | "newId" | "now" | "isClockReliable" | "log"
>

/** Time after which a gateway that does not respond counts as down. */
const GATEWAY_UP_WITHIN = 10 * MINUTE

/**
 * Writes the events about gateways, alerts about endpoints that fail, and deletes old events, one instance at a time.
 * Returns the function to call repeatedly.
 */
export function watchForEvents(services: Needed, holder: string): () => Promise<void> {
  const outages = new Map<GatewayId, Instant>()
  return async () => {
    const { outbox, now } = services
    if (!(await outbox.lease("webhook events", holder, now(), LEASE))) return
    await watchGateways(services, outages)
    await services.webhooks.watchEndpoints(now())
    await deleteOldEvents(services)
  }
}

async function watchGateways(
  { webhooks, gateways, now }: Needed,
  outages: Map<GatewayId, Instant>,
): Promise<void> {
  for (const [id, gateway] of gateways) {
    if (gateway.healthy()) {
      outages.delete(id)
      // A process that has just started has had no answer yet.
      await webhooks.recordGateway(id, false, gateway.health().lastSuccessAt ?? 0)
      continue
    }
    const since = outages.get(id) ?? now()
    outages.set(id, since)
    if (now() - since >= GATEWAY_UP_WITHIN) await webhooks.recordGateway(id, true, now())
  }
}

async function deleteOldEvents(services: Needed): Promise<void> {
  const { webhooks, outbox, newId, now, isClockReliable, log } = services
  if (!isClockReliable()) return
  if (!(await outbox.lease("webhook retention", newId(), now(), CLEAN_EVERY))) return
  const deleted = await deleteInBatches(() => webhooks.deleteOld(now()))
  if (deleted > 0) log.info({ events: deleted }, "old webhook events deleted")
}
