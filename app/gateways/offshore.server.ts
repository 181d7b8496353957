import { Webhook } from "standardwebhooks"
import { z } from "zod"
import { toDecimal } from "~/domain/money"
import type { PaymentNews } from "~/domain/payment"
import { type JsonClient, jsonClient } from "~/http/json-client.server"
import { NeighbourError } from "~/http/neighbour-error"
import {
  type Gateway,
  GatewayError,
  type PaymentRequest,
  type RawCallback,
  UntrustedCallback,
} from "./gateway"
import { newsOf, OffshorePayment, OpenedOffshorePayment } from "./offshore-payment"
import { openWebhook } from "./offshore-webhook.server"

export type OffshoreSettings = {
  /** Where its API begins: payments are opened at `{url}/payments`. */
  url: string
  /** Where its pay page lives, if not at the API's own origin. */
  payOrigin?: string
  /** Standard Webhooks secrets (`whsec_…`); any of them may have signed a callback. */
  callbackSecrets: readonly string[]
  /** For one question with its repeats, in milliseconds. */
  timeoutMs: number
  /** Waits before repeats, in milliseconds, where the usual ones do not suit. */
  pausesMs?: readonly number[]
}

/** A generic hosted gateway in API mode. Throws at once when a secret is missing or cannot be one. */
export function openOffshore(settings: OffshoreSettings): Gateway {
  const client = jsonClient(settings)
  const keys = settings.callbackSecrets.map((secret) => new Webhook(secret))
  if (keys.length === 0) throw new Error("The offshore gateway needs a secret for its callbacks")
  const origins = [
    ...new Set([settings.payOrigin ?? settings.url, settings.url].map((url) => new URL(url).origin)),
  ]
  return {
    id: "offshore",
    origins,
    async startPayment(payment) {
      const { id: paymentId, url } = await opened(client, payment)
      if (!origins.includes(new URL(url).origin)) {
        throw new GatewayError("unreadable", "offshore sends the buyer to an origin that is not its own")
      }
      return { paymentId, url }
    },
    async askPayment({ paymentId }) {
      const payment = await told(client.get(`payments/${encodeURIComponent(paymentId)}`, OffshorePayment))
      if (payment.paymentId === paymentId) return newsOf(payment, payment.stateKey)
      throw new GatewayError("unreadable", "offshore answered about another payment")
    },
    // Its contract has no way to ask for that (reference: hosted gateways, section 4).
    closePayment: async () => "stays-open",
    readCallback: (callback) => readNews(callback, keys),
  }
}

function opened(client: JsonClient, payment: PaymentRequest) {
  const { attemptId, orderId, amount, locale } = payment
  const body = {
    amount: toDecimal(amount),
    currency: amount.currency,
    reference: attemptId,
    return_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    callback_url: payment.callbackUrl,
    expires_at: new Date(payment.expiresAt).toISOString(),
    metadata: { order: orderId, locale: locale.iso },
  }
  return told(client.post("payments", { body, as: OpenedOffshorePayment, idempotencyKey: attemptId }))
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof NeighbourError) throw new GatewayError(cause.kind, cause.message, { cause })
    throw cause
  }
}

const Envelope = z.object({ type: z.string(), data: z.unknown() })

function readNews(callback: RawCallback, keys: readonly Webhook[]): PaymentNews | null {
  const { id, text } = openWebhook(callback, keys)
  const { type, data } = shaped(Envelope, json(text))
  return type === "payment.updated" ? newsOf(shaped(OffshorePayment, data), id) : null
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UntrustedCallback("not JSON", { cause })
  }
}

/** Signed, so it is the gateway that speaks: what cannot be read is loud, and the gateway sends it again. */
function shaped<T>(as: z.ZodType<T>, said: unknown): T {
  const parsed = as.safeParse(said)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  throw new GatewayError("unreadable", `offshore calls back with nonsense: ${z.prettifyError(cause)}`, {
    cause,
  })
}
