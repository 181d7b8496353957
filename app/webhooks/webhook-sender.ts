/** Port that signs and sends events to an endpoint (Standard Webhooks 1.0). */
export interface WebhookSender {
  /** Why events cannot be sent to a URL, for the operator; null: they can. A name is only checked when connecting. */
  problemOf(url: string): string | null
  /** A new secret (`whsec_…`), and how it is stored. */
  newSecret(): { readonly secret: string; readonly sealed: string }
  /** Opens the connections of one endpoint: at most `connections` at once. */
  open(connections: number): WebhookConnection
}

export interface WebhookConnection {
  /** Sends a message once. Never throws: what went wrong is in the result. */
  send(message: WebhookMessage, signal: AbortSignal): Promise<SendResult>
  /** Ends its connections; nothing is sent by it any more. */
  close(): Promise<void>
}

export type WebhookMessage = {
  readonly url: string
  /** Stored secrets: each signs. */
  readonly sealedSecrets: readonly string[]
  readonly id: string
  readonly body: string
}

export type SendResult = {
  /** Status of the response; null without one. */
  readonly status: number | null
  /** Why it counts as not delivered; null: delivered. Never a part of the URL or an address. */
  readonly error: string | null
  /** At most 2 kB of the response's body. Written by the receiver: escape it. */
  readonly response: string
  /** The `Retry-After` header, as sent. */
  readonly retryAfter: string | null
  /** From the request to the end of the response, in milliseconds. */
  readonly tookMs: number
}
