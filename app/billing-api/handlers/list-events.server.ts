import type { EventStream } from "~/billing/webhook-repository"
import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { ApiError } from "./api-error"
import type { ApiCall } from "./ownership"

/**
 * Lists the events after a position, for systems that poll instead of receiving webhooks. Responds 409 `events-reset` to a
 * position of before a restore.
 */
export async function listEvents(
  { services: { webhooks } }: ApiCall,
  { after, limit }: RequestOf<"events">,
): Promise<ResponseOf<"events">> {
  // Before the events: if a restore comes between, the next call is told.
  const stream = await webhooks.eventStream()
  const position = after === undefined ? 0 : positionIn(after, stream)
  const found = await webhooks.eventsAfter(position, limit)
  const next = found.at(-1)?.position ?? position
  return { events: found.map(({ event }) => event), next: `${next}.${stream.id}` }
}

/**
 * A position beyond the last one was given by a database that a copy of an earlier one has replaced. Positions of earlier
 * versions name no stream.
 */
function positionIn(after: string, { id, last }: EventStream): number {
  const [position = "", stream = id] = after.split(".")
  if (stream === id && Number(position) <= last) return Number(position)
  throw new ApiError(
    "events-reset",
    "The shop was restored from a backup: begin without `after`, and skip the events that you have, by their ids",
  )
}
