import type { LoggedServices } from "~/context/services.server"
import { HOUR, MINUTE } from "~/domain/calendar"
import { claimRun } from "~/flows/jobs/claim-run.server"
import { deleteInBatches } from "~/flows/jobs/delete-in-batches.server"
import { watchGateways } from "~/flows/payments/watch-gateways.server"

const BATCH = 500
/** If the instance that watches dies, another takes over after this time. */
const LEASE = 1 * MINUTE
const CLEAN_EVERY = 1 * HOUR

type Publishing = Pick<LoggedServices, "webhooks">

/** Publishes all events of committed transactions: from then on pollers see them. Safe on several instances at once. */
export async function publishEvents({ webhooks }: Publishing): Promise<void> {
  while ((await webhooks.publish(BATCH)) === BATCH);
}

type PublishingServices = Pick<
  LoggedServices,
  "webhooks" | "outbox" | "gateways" | "newId" | "now" | "isClockReliable" | "log"
>

/**
 * Writes the events about gateways, alerts about endpoints that fail, and deletes old events, one instance at a time.
 * Returns the function to call repeatedly.
 */
export function watchForEvents(services: PublishingServices, holder: string): () => Promise<void> {
  const recordGateways = watchGateways(services, (...report) => services.webhooks.recordGateway(...report))
  return async () => {
    const { outbox, now } = services
    if (!(await outbox.lease("webhook events", holder, now(), LEASE))) return
    await recordGateways()
    await services.webhooks.watchEndpoints(now())
    await deleteOldEvents(services)
  }
}

async function deleteOldEvents(services: PublishingServices): Promise<void> {
  const { webhooks, now, isClockReliable, log } = services
  if (!isClockReliable()) return
  if (!(await claimRun(services, { task: "webhook retention", every: CLEAN_EVERY }))) return
  const deleted = await deleteInBatches(() => webhooks.deleteOld(now()))
  if (deleted > 0) log.info({ events: deleted }, "old webhook events deleted")
}
