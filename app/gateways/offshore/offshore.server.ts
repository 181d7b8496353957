import { Webhook } from "standardwebhooks"
import { z } from "zod"
import type { PaymentUpdate } from "~/domain/payments/payment"
import { AttemptId } from "~/gateways/fields"
import type { Gateway } from "~/gateways/gateway"
import { gatewayOf, originsOf } from "~/gateways/gateway-form"
import { callbackJson, parseAs } from "~/gateways/webhook.server"
import { byApi } from "./api.server"
import { byLink, type LinkSettings } from "./link.server"
import { OffshorePayment, toPaymentUpdate } from "./payment"
import { openWebhook, signedTest, type WebhookMessage } from "./webhook.server"

export type OffshoreSettings = {
  /** Base URL: payments are created at `{url}/payments`, or by a link to `{url}/pay`. */
  url: string
  /** Origin of the payment page, if it differs from the base URL's. */
  payOrigin?: string
  /** Enables link mode: payments are created by signed links, without an API request. */
  link?: LinkSettings
  /** Standard Webhooks secrets (`whsec_…`); a callback may be signed with any of them. */
  callbackSecrets: readonly string[]
  /** For one request including its retries, in milliseconds. */
  timeoutMs: number
  /** Delays before retries, in milliseconds; overrides the defaults. */
  retryDelaysMs?: readonly number[]
}

/** Creates a generic hosted gateway in API or link mode. Throws when a secret is missing or malformed. */
export function openOffshore(settings: OffshoreSettings): Gateway {
  const { url, payOrigin, link } = settings
  const keys = settings.callbackSecrets.map((secret) => new Webhook(secret))
  if (keys.length === 0) throw new Error("The offshore gateway requires a secret to verify callbacks")
  const { open, poll } = link ? byLink(url, link) : byApi(settings)
  return gatewayOf({
    id: "offshore",
    name: "the gateway",
    origins: originsOf(payOrigin ?? url, url),
    // The contract has no second transfer for a partially paid payment.
    takesTopUps: false,
    open,
    poll,
    verify: (callback) => openWebhook(callback, keys),
    read: readMessage,
    test: (at) => signedTest(keys, at),
    // The contract has no request to cancel a payment (docs/gateways.md, Offshore), and no coins.
    close: null,
    onSite: null,
    calls: null,
    refunds: null,
  })
}

const Envelope = z.object({ type: z.string(), data: z.unknown() })
const Named = z.object({ reference: AttemptId })

const source = {
  name: "offshore callback",
  attemptOf: (value: unknown) => Named.safeParse(value).data?.reference ?? null,
}

function readMessage({ id, text }: WebhookMessage): PaymentUpdate | null {
  const { type, data } = parseAs(Envelope, callbackJson(text), source)
  return type === "payment.updated" ? toPaymentUpdate(parseAs(OffshorePayment, data, source), id) : null
}
