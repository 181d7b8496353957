import type { EndpointChanges, WebhookEndpoint, WebhookRepository } from "~/billing/webhook-repository"
import type { Instant } from "~/domain/calendar"
import { SECRETS_OVERLAP } from "~/domain/webhooks/delivery"
import { type Subscription, subscriptionsIn } from "~/domain/webhooks/subscription"
import type { WebhookSender } from "~/webhooks/webhook-sender"

export const MAX_ENDPOINTS = 50
export const MAX_DESCRIPTION = 200

/** What an operator has typed; absent: not given. */
export type EndpointFields = {
  readonly url?: string | undefined
  /** Separated by commas. */
  readonly types?: string | undefined
  readonly description?: string | undefined
}

/** `why`: what is wrong with a URL. */
export type EndpointProblem =
  | { readonly kind: "url"; readonly why: string }
  | { readonly kind: "types" | "description" | "too-many" }

/** What fields say, or what is wrong with the first invalid one. */
export function endpointChanges(
  sender: WebhookSender,
  fields: EndpointFields,
):
  | { readonly kind: "valid"; readonly changes: EndpointChanges }
  | { readonly kind: "invalid"; readonly problem: EndpointProblem } {
  const url = fields.url?.trim()
  const description = fields.description?.trim()
  const why = url === undefined ? null : sender.problemOf(url)
  if (why !== null) return { kind: "invalid", problem: { kind: "url", why } }
  const subscriptions = fields.types === undefined ? undefined : subscriptionsIn(fields.types)
  if (subscriptions === null) return { kind: "invalid", problem: { kind: "types" } }
  if (description !== undefined && description.length > MAX_DESCRIPTION)
    return { kind: "invalid", problem: { kind: "description" } }
  return {
    kind: "valid",
    changes: { url: url === undefined ? undefined : new URL(url).href, subscriptions, description },
  }
}

type Managing = {
  readonly webhooks: WebhookRepository
  readonly webhookSender: WebhookSender
  readonly newId: () => string
  readonly now: Instant
}

/** The secret is shown once: it is stored encrypted. */
export type AddedEndpoint = {
  readonly id: string
  readonly secret: string
  readonly host: string
  readonly subscriptions: readonly Subscription[]
}

/** Adds an endpoint, which gets the events from now on. */
export async function addEndpoint(
  { webhooks, webhookSender, newId, now }: Managing,
  fields: Required<EndpointFields>,
): Promise<
  | { readonly kind: "added"; readonly added: AddedEndpoint }
  | { readonly kind: "invalid"; readonly problem: EndpointProblem }
> {
  const checked = endpointChanges(webhookSender, fields)
  if (checked.kind === "invalid") return checked
  if ((await webhooks.endpoints()).length >= MAX_ENDPOINTS)
    return { kind: "invalid", problem: { kind: "too-many" } }
  const { url = "", description = "", subscriptions = [] } = checked.changes
  const { secret, sealed } = webhookSender.newSecret()
  const id = `whe_${newId()}`
  await webhooks.addEndpoint({ id, url, description, subscriptions, sealedSecret: sealed, at: now })
  return { kind: "added", added: { id, secret, host: new URL(url).host, subscriptions } }
}

/**
 * Makes a new secret, which is shown once; the former one signs too until `formerUntil`. Null: somebody else has made one, or removed
 * the endpoint.
 */
export async function rotateEndpointSecret(
  { webhooks, webhookSender, now }: Omit<Managing, "newId">,
  { id, sealedSecret: replaced }: Pick<WebhookEndpoint, "id" | "sealedSecret">,
): Promise<{ readonly secret: string; readonly formerUntil: Instant } | null> {
  const { secret, sealed } = webhookSender.newSecret()
  const formerUntil = now + SECRETS_OVERLAP
  const isMade = await webhooks.rotateSecret(id, { sealedSecret: sealed, formerUntil, replaced })
  return isMade ? { secret, formerUntil } : null
}
