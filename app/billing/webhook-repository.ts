import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { WebhookEvent } from "~/domain/webhooks/event-schemas"

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
  /** Published events after a position (0: all), oldest first. */
  eventsAfter(position: number, limit: number): Promise<readonly PublishedEvent[]>
  /** Records that a gateway is down or up, unless its last event says so. */
  recordGateway(gateway: GatewayId, isDown: boolean, at: Instant): Promise<void>
  /** Retention: deletes some of the events that are older than 90 days, with their deliveries. Returns how many. */
  deleteOld(now: Instant): Promise<number>
}

export type PublishedEvent = { readonly position: number; readonly event: WebhookEvent }
