import { Webhook } from "standardwebhooks"
import { z } from "zod"
import type { PaymentUpdate } from "~/domain/payment"
import { type Gateway, GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { summaryOf } from "~/gateways/gateway-errors"
import { byApi } from "./api.server"
import { byLink, type LinkSettings } from "./link.server"
import { OffshorePayment, toPaymentUpdate } from "./payment"
import { openWebhook } from "./webhook.server"

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
  const origins = [...new Set([payOrigin ?? url, url].map((it) => new URL(it).origin))]
  return {
    id: "offshore",
    origins,
    // The contract has no second transfer for a partially paid payment.
    takesTopUps: false,
    ...(link ? byLink(url, link) : byApi(settings, origins)),
    // The contract has no request to cancel a payment (reference: hosted gateways, section 4).
    closePayment: async () => "stays-open",
    // The contract has no coins.
    onSite: null,
    parseCallback: (callback) => parseUpdate(callback, keys),
  }
}

const Envelope = z.object({ type: z.string(), data: z.unknown() })

function parseUpdate(callback: RawCallback, keys: readonly Webhook[]): PaymentUpdate | null {
  const { id, text } = openWebhook(callback, keys)
  const { type, data } = parseAs(Envelope, json(text))
  return type === "payment.updated" ? toPaymentUpdate(parseAs(OffshorePayment, data), id) : null
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UntrustedCallbackError("not JSON", { cause })
  }
}

const Named = z.object({ reference: z.string().min(1).max(200) })

/** The payload is signed, so a mismatch is a `GatewayError` (`unreadable`), not an untrusted callback. */
function parseAs<T>(as: z.ZodType<T>, value: unknown): T {
  const parsed = as.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  const message = `Invalid offshore callback (${summaryOf(value)}): ${z.prettifyError(cause)}`
  throw new GatewayError("unreadable", message, {
    cause,
    attemptId: Named.safeParse(value).data?.reference ?? null,
  })
}
