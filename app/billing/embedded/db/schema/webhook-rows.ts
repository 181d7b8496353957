import type { Instant } from "~/domain/calendar"
import type { PauseReason, WebhookDeliveryState } from "~/domain/webhooks/delivery"
import type { WebhookEventType } from "~/domain/webhooks/event-types"

/** Its one row names the order in which events are handed out, until a restore. */
export type EventStreamRow = { id: string }

/** `data`: JSON. `client_id`: whose data it contains. `position`: place in the order in which events are handed out; null: not yet. */
export type WebhookEventRow = {
  id: string
  type: WebhookEventType
  object: string
  object_id: string
  sequence: number
  data: string
  client_id: string | null
  at: Instant
  position: number | null
}

/** `subscriptions`: separated by commas. Secrets are sealed. `hold_until`: the receiver has asked not to be called before. */
export type WebhookEndpointRow = {
  id: string
  url: string
  description: string
  subscriptions: string
  secret: string
  former_secret: string | null
  former_until: Instant | null
  state: "active" | "paused"
  pause_reason: PauseReason | null
  paused_at: Instant | null
  position: number
  hold_until: Instant | null
  failing_since: Instant | null
  succeeded_at: Instant | null
  created_at: Instant
}

/** `tried_at` and what follows: of the last try. */
export type WebhookDeliveryRow = {
  endpoint_id: string
  event_id: string
  position: number
  state: WebhookDeliveryState
  tries: number
  due: Instant
  tried_at: Instant | null
  took_ms: number | null
  status: number | null
  error: string | null
  response: string | null
}
