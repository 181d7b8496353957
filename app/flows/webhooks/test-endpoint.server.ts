import type { WebhookEndpoint } from "~/billing/webhook-repository"
import { type Instant, SECOND } from "~/domain/calendar"
import { TEST_TYPE } from "~/domain/webhooks/subscription"
import type { SendResult, WebhookSender } from "~/webhooks/webhook-sender"
import { messageTo } from "./deliver-events.server"

const TIMEOUT_MS = 20 * SECOND

type Testing = { readonly webhookSender: WebhookSender; readonly newId: () => string; readonly now: Instant }

/** Sends a message of the type `webhook.test` once, signed and checked as events are. It is not stored and not repeated. */
export async function testEndpoint(
  { webhookSender, newId, now }: Testing,
  endpoint: WebhookEndpoint,
): Promise<SendResult> {
  const id = `test_${newId()}`
  const timestamp = new Date(now).toISOString()
  const body = JSON.stringify({ id, type: TEST_TYPE, timestamp, sequence: now, data: {} })
  const connection = webhookSender.open(1)
  try {
    const message = { ...messageTo(endpoint, now), id, body }
    return await connection.send(message, AbortSignal.timeout(TIMEOUT_MS))
  } finally {
    await connection.close()
  }
}
