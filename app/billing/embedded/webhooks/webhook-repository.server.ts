import type { WebhookRepository } from "~/billing/webhook-repository"
import { type DbContext, guarded } from "../db/transaction.server"
import {
  busyEndpoints,
  deliveries,
  dueDeliveries,
  enqueueDeliveries,
  noteTry,
  pending,
  redeliver,
  skipDelivery,
} from "./deliveries.server"
import {
  addEndpoint,
  editEndpoint,
  endpoint,
  endpoints,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
  watchEndpoints,
} from "./endpoints.server"
import { recordGateway } from "./other-events.server"
import { eventStream, eventsAfter, publishEvents } from "./publish-events.server"
import { deleteOldEvents } from "./webhook-retention.server"

/** Creates the port of the events for the operator's systems on the database. */
export function webhookRepository(ctx: DbContext): WebhookRepository {
  return guarded<WebhookRepository>(ctx, {
    publish: publishEvents,
    eventStream,
    eventsAfter,
    recordGateway,
    deleteOld: deleteOldEvents,
    addEndpoint,
    endpoints,
    endpoint,
    editEndpoint,
    rotateSecret,
    pauseEndpoint,
    resumeEndpoint,
    removeEndpoint,
    watchEndpoints,
    busyEndpoints,
    enqueueDeliveries,
    dueDeliveries,
    noteTry,
    skipDelivery,
    redeliver,
    deliveries,
    pending,
  })
}
