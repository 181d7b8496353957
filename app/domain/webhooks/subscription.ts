import { type WebhookEventType, webhookEventTypes } from "./event-types"

/** Type of the message that `webhooks test` sends; it is not an event and is not stored. */
export const TEST_TYPE = "webhook.test"

/** What an endpoint subscribes to: a type, all types of an object (`order.*`), or all (`*`). */
export type Subscription = WebhookEventType | `${string}.*` | "*"

/** Whether an endpoint with these subscriptions gets events of a type. */
export function isSubscribed(subscriptions: readonly Subscription[], type: WebhookEventType): boolean {
  return subscriptions.some((it) => it === "*" || it === type || it === `${groupOf(type)}.*`)
}

/** The types that subscriptions stand for. */
export function typesOf(subscriptions: readonly Subscription[]): readonly WebhookEventType[] {
  return webhookEventTypes.filter((type) => isSubscribed(subscriptions, type))
}

/** The types by the object that they are about, in the order of their list. */
export const typesByObject: ReadonlyMap<string, readonly WebhookEventType[]> = Map.groupBy(
  webhookEventTypes,
  groupOf,
)

/**
 * Parses a list of subscriptions separated by commas. Null if it is empty or one of them matches no type: a misspelt type
 * would never be delivered. What another of them covers is left out.
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
  if (parts.length === 0 || !parts.every(isSubscription)) return null
  return parts.filter((part) => !parts.some((other) => other !== part && covers(other, part)))
}

function covers(wide: Subscription, narrow: Subscription): boolean {
  return wide === "*" || wide === `${narrow.slice(0, narrow.indexOf("."))}.*`
}

function isSubscription(text: string): text is Subscription {
  return text === "*" || webhookEventTypes.some((type) => text === type || text === `${groupOf(type)}.*`)
}

/** The object that a type is about. */
function groupOf(type: WebhookEventType): string {
  return type.slice(0, type.indexOf("."))
}
