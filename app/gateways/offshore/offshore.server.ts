import { Webhook } from "standardwebhooks"
import { z } from "zod"
import type { PaymentUpdate } from "~/domain/payment"
import { type Gateway, GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { summaryOf } from "~/gateways/gateway-errors"
import { byApi } from "./api.server"
import { byLink, type LinkAccount } from "./link.server"
import { OffshorePayment, toPaymentUpdate } from "./payment"
import { openWebhook } from "./webhook.server"

export type OffshoreSettings = {
  /** Where it begins: payments are opened at `{url}/payments`, or by a link to `{url}/pay`. */
  url: string
  /** Where its pay page lives, if not at that address's own origin. */
  payOrigin?: string
  /** With it payments are opened by signed links, and without a call. */
  link?: LinkAccount
  /** Standard Webhooks secrets (`whsec_…`); any of them may have signed a callback. */
  callbackSecrets: readonly string[]
  /** For one question with its repeats, in milliseconds. */
  timeoutMs: number
  /** Waits before repeats, in milliseconds, where the usual ones do not suit. */
  retryDelaysMs?: readonly number[]
}

/** A generic hosted gateway, in API mode or in link mode. Throws at once when a secret is missing or cannot be one. */
export function openOffshore(settings: OffshoreSettings): Gateway {
  const { url, payOrigin, link } = settings
  const keys = settings.callbackSecrets.map((secret) => new Webhook(secret))
  if (keys.length === 0) throw new Error("The offshore gateway needs a secret for its callbacks")
  const origins = [...new Set([payOrigin ?? url, url].map((it) => new URL(it).origin))]
  return {
    id: "offshore",
    origins,
    // Its contract knows no second transfer for a payment that was made in part.
    takesTopUps: false,
    ...(link ? byLink(url, link) : byApi(settings, origins)),
    // Its contract has no way to ask for that (reference: hosted gateways, section 4).
    closePayment: async () => "stays-open",
    // Its contract knows no coins.
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

/** Signed, so it is the gateway that speaks: what cannot be read is loud. */
function parseAs<T>(as: z.ZodType<T>, value: unknown): T {
  const parsed = as.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  const message = `offshore calls back with nonsense (${summaryOf(value)}): ${z.prettifyError(cause)}`
  throw new GatewayError("unreadable", message, {
    cause,
    attemptId: Named.safeParse(value).data?.reference ?? null,
  })
}
