import { type WebhookEventType, webhookEventTypes } from "./event-types"

/** Type of the message that `webhooks test` sends; it is not an event and is not stored. */
export const TEST_TYPE = "webhook.test"

/** What an endpoint subscribes to: a type, all types of an object (`order.*`), or all (`*`). */
export type Subscription = WebhookEventType | `${string}.*` | "*"

/** Whether an endpoint with these subscriptions gets events of a type. */
export function isSubscribed(subscriptions: readonly Subscription[], type: WebhookEventType): boolean {
  return subscriptions.some((it) => it === "*" || it === type || it === `${groupOf(type)}.*`)
}

/**
 * Parses a list of subscriptions separated by commas. Null if it is empty or one of them matches no type: a misspelt type
 * would never be delivered.
 */
export function subscriptionsIn(text: string): readonly Subscription[] | null {
  const parts = [
    ...new Set(
      text
        .split(",")
        .map((it) => it.trim())
        .filter(Boolean),
    ),
  ]
  return parts.length > 0 && parts.every(isSubscription) ? parts : null
}

function isSubscription(text: string): text is Subscription {
  return text === "*" || webhookEventTypes.some((type) => text === type || text === `${groupOf(type)}.*`)
}

function groupOf(type: WebhookEventType): string {
  return type.slice(0, type.indexOf("."))
}
