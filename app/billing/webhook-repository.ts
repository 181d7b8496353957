import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { PauseReason, WebhookDeliveryState } from "~/domain/webhooks/delivery"
import type { WebhookEvent } from "~/domain/webhooks/event-schemas"
import type { WebhookEventType } from "~/domain/webhooks/event-types"
import type { Subscription } from "~/domain/webhooks/subscription"

/** When events for the operator's systems are written. */
export type WebhookPolicy = {
  /** The shop serves them to pollers, so they are written without an endpoint too. */
  readonly always: boolean
  /** A reseller's credits are low when they come down to this number. */
  readonly creditsLow: number
}

/** Port of the events for the operator's systems. Every call may throw a `BillingError`. */
export interface WebhookRepository {
  /**
   * Gives events of committed transactions their place in the order in which they are handed out, at most `limit` of them, and
   * returns how many. Safe for concurrent callers.
   */
  publish(limit: number): Promise<number>
  /** The stream to which positions belong. A restore of a backup begins another one. */
  eventStream(): Promise<EventStream>
  /** Published events after a position (0: all), oldest first. */
  eventsAfter(position: number, limit: number): Promise<readonly PublishedEvent[]>
  /** Records that a gateway is down or up, unless its last event says so or is newer. `at`: of one that is up, when it responded. */
  recordGateway(gateway: GatewayId, isDown: boolean, at: Instant): Promise<void>
  /** Retention: deletes some of the events that are older than 90 days, with their deliveries. Returns how many. */
  deleteOld(now: Instant): Promise<number>

  /** Adds an endpoint, which gets the events from now on. */
  addEndpoint(endpoint: NewEndpoint): Promise<void>
  /** All endpoints, oldest first. */
  endpoints(): Promise<readonly WebhookEndpoint[]>
  /** An endpoint; null for an unknown one. */
  endpoint(id: string): Promise<WebhookEndpoint | null>
  /**
   * Changes what is given, and ends a pause that the receiver has asked for. With another URL what waits is due now, and the
   * failures of the former one do not count any more. False for an unknown endpoint, and for one that is not as `seen` any more;
   * without it whatever it is.
   */
  editEndpoint(id: string, changes: EndpointChanges, at: Instant, seen?: EditedEndpoint): Promise<boolean>
  /**
   * Replaces the secret; the former one signs too until `formerUntil`. False for an unknown endpoint, and for one that has another
   * secret than `replaced`.
   */
  rotateSecret(
    id: string,
    rotation: {
      readonly sealedSecret: string
      readonly formerUntil: Instant
      readonly replaced: string
    },
  ): Promise<boolean>
  /** Pauses an active endpoint: its events are kept. False if it is not active. */
  pauseEndpoint(id: string, reason: PauseReason, at: Instant): Promise<boolean>
  /** Resumes a paused endpoint: what was not delivered is due now, oldest first. False if it is not paused. */
  resumeEndpoint(id: string, at: Instant): Promise<boolean>
  /** Removes an endpoint with its deliveries. False for an unknown one. */
  removeEndpoint(id: string): Promise<boolean>
  /** Enqueues an alert for each endpoint that has failed for an hour, and pauses those that have failed for 3 days. Idempotent. */
  watchEndpoints(now: Instant): Promise<void>

  /** Active endpoints with events that wait or deliveries that are due, unless their receivers have asked for a pause. */
  busyEndpoints(now: Instant): Promise<readonly WebhookEndpoint[]>
  /** Enqueues deliveries of the next events, at most `limit` events, and returns how many events it has passed. */
  enqueueDeliveries(endpointId: string, at: Instant, limit: number): Promise<number>
  /** Deliveries that are due; of those due at the same time the oldest event first. */
  dueDeliveries(endpointId: string, now: Instant, limit: number): Promise<readonly DueDelivery[]>
  /** Notes the result of a try. Status 410 pauses the endpoint. */
  noteTry(endpointId: string, tried: TriedDelivery): Promise<void>
  /** Notes that an event is not sent, since the endpoint does not subscribe to its type any more. */
  skipDelivery(endpointId: string, eventId: string): Promise<void>
  /** Makes the published events meant due again, also delivered ones, if the endpoint subscribes to them. Returns how many. */
  redeliver(endpointId: string, which: Redelivery, at: Instant): Promise<number>
  /** Deliveries of an endpoint, in a state or (null) in any, newest event first. */
  deliveries(endpointId: string, filter: DeliveryFilter): Promise<readonly WebhookDelivery[]>
  /** How many published events an endpoint is still to get; counted up to `PENDING_LIMIT`. */
  pending(endpoint: WebhookEndpoint): Promise<number>
}

/** Events that an endpoint is still to get are counted up to here, so that the query stays short. */
export const PENDING_LIMIT = 1_000

export type DeliveryFilter = {
  /** Null: in any state. */
  readonly state: WebhookDeliveryState | null
  readonly limit: number
  /** Those of events before this position; absent: the newest. */
  readonly before?: number | undefined
}

/** `last`: the last position given; 0 before the first. */
export type EventStream = { readonly id: string; readonly last: number }

export type PublishedEvent = { readonly position: number; readonly event: WebhookEvent }

export type NewEndpoint = {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly subscriptions: readonly Subscription[]
  /** The secret as `WebhookSender.newSecret` seals it. */
  readonly sealedSecret: string
  readonly at: Instant
}

export type EditedEndpoint = Pick<NewEndpoint, "url" | "description" | "subscriptions">
export type EndpointChanges = Partial<EditedEndpoint>

export type WebhookEndpoint = Omit<NewEndpoint, "at"> & {
  /** The secret before the last rotation, and until when it signs too. */
  readonly former: { readonly sealedSecret: string; readonly until: Instant } | null
  readonly state: "active" | "paused"
  readonly pauseReason: PauseReason | null
  readonly pausedAt: Instant | null
  /** Events up to this position were passed. */
  readonly position: number
  /** Nothing is sent before, since the receiver has asked for that. */
  readonly holdUntil: Instant | null
  /** First failed try since the last success. */
  readonly failingSince: Instant | null
  readonly succeededAt: Instant | null
  readonly createdAt: Instant
}

/** `tries`: those before. */
export type DueDelivery = { readonly event: WebhookEvent; readonly tries: number }

export type TriedDelivery = {
  readonly eventId: string
  readonly state: Exclude<WebhookDeliveryState, "skipped">
  readonly at: Instant
  /** The next try; null: there is none. */
  readonly due: Instant | null
  readonly holdUntil: Instant | null
  readonly tookMs: number
  readonly status: number | null
  readonly error: string | null
  /** The beginning of the receiver's response: written by the receiver. */
  readonly response: string | null
}

/** One event, or those of a time: `from` inclusive, `until` exclusive. */
export type Redelivery = { readonly eventId: string } | { readonly from: Instant; readonly until: Instant }

export type WebhookDelivery = Pick<TriedDelivery, "eventId" | "status" | "error" | "response"> & {
  readonly type: WebhookEventType
  /** Place of the event in the order in which events are handed out. */
  readonly position: number
  /** When the event has happened. */
  readonly at: Instant
  readonly state: WebhookDeliveryState
  readonly tries: number
  /** Null: it does not wait. */
  readonly due: Instant | null
  readonly triedAt: Instant | null
  readonly tookMs: number | null
}
