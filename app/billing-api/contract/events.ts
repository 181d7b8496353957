import { z } from "zod"
import { WebhookEvent } from "~/domain/webhooks/event-schemas"

const MAX_LIMIT = 100

export const EventsRequest = z.object({
  after: z
    .string()
    .regex(/^\d{1,15}(\.[0-9a-f]{8})?$/, "invalid position")
    .optional()
    .describe("`next` of the last response, as it is; absent: from the oldest event kept"),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(MAX_LIMIT),
})

export const EventsResponse = z.object({
  events: z.array(WebhookEvent).describe("Oldest first; empty if there are none yet"),
  next: z.string().describe("Send as `after` to get the events that follow"),
})
