import type { Config } from "~/config/environment.server"
import { sealWith } from "~/security/cookie-encryption.server"
import { standardWebhookSender } from "~/webhooks/standard-webhook-sender.server"
import type { WebhookSender } from "~/webhooks/webhook-sender"
import { operatorSecretsOf } from "./generated-secrets.server"

/** Opens the sender of webhooks; null for a public shop without `OPERATOR_SECRETS`, by which their secrets are stored. */
export function openWebhookSender(config: Config): WebhookSender | null {
  const secrets = operatorSecretsOf(config)
  if (secrets === null) return null
  const policy = { allow: config.WEBHOOK_ALLOW, loopback: config.sandbox }
  // A receiver checks the age of a message by its own clock, also while that of a sandbox is ahead.
  return standardWebhookSender({ seal: sealWith(secrets, "webhooks"), policy, now: Date.now })
}
