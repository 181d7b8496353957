import { createHash } from "node:crypto"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import { toDecimal } from "~/domain/money"
import type { PaymentNews } from "~/domain/payment"
import { type JsonClient, jsonClient } from "~/http/json-client.server"
import { NeighbourError } from "~/http/neighbour-error"
import { CoinbaseCheckout, newsOf } from "./coinbase-checkout"
import { type CoinbaseKey, tokensWith } from "./coinbase-key.server"
import { checkHook0 } from "./coinbase-webhook.server"
import {
  type Gateway,
  GatewayError,
  type PaymentRequest,
  type RawCallback,
  UntrustedCallback,
} from "./gateway"

export type CoinbaseSettings = {
  /** The Checkouts API: `https://business.coinbase.com/api/v1/checkouts`. */
  url: string
  /** Where its pay pages live, if not at the API's own origin. */
  payOrigin?: string
  key: CoinbaseKey
  /** Secrets of webhook subscriptions; any of them may have signed a callback. */
  webhookSecrets: readonly string[]
  /** For one question with its repeats, in milliseconds. */
  timeoutMs: number
  /** Waits before repeats, in milliseconds, where the usual ones do not suit. */
  pausesMs?: readonly number[]
  now: () => Instant
}

/** Coinbase's Checkouts. Throws at once when a key or a secret is missing or cannot be one. */
export function openCoinbase(settings: CoinbaseSettings): Gateway {
  const { url, payOrigin, webhookSecrets } = settings
  if (webhookSecrets.length === 0) throw new Error("Coinbase needs a secret for its callbacks")
  const ask = questions(settings)
  const origins = [...new Set([payOrigin ?? url, url].map((it) => new URL(it).origin))]
  return {
    id: "coinbase",
    origins,
    async startPayment(payment) {
      const checkout = await ask.open(payment)
      if (!origins.includes(new URL(checkout.url).origin)) {
        throw new GatewayError("unreadable", "coinbase sends the buyer to an origin that is not its own")
      }
      return { paymentId: checkout.paymentId, url: checkout.url }
    },
    async closePayment({ paymentId }) {
      try {
        return (await ask.deactivate(paymentId)).deactivated ? "closed" : "stays-open"
      } catch (error) {
        // It has been paid or has ended meanwhile, and is not to be had any more.
        if (error instanceof GatewayError && error.kind === "refused") return "stays-open"
        throw error
      }
    },
    async askPayment({ paymentId }) {
      const checkout = await ask.about(paymentId)
      if (checkout.paymentId === paymentId) return newsOf(checkout)
      throw new GatewayError("unreadable", "coinbase answered about another checkout")
    },
    readCallback: (callback) => readNews(callback, webhookSecrets),
  }
}

/** The questions of the API, each with a token of its own. */
function questions({ url, key, now, timeoutMs, pausesMs }: CoinbaseSettings) {
  const token = tokensWith(key)

  async function call<T>(
    method: "GET" | "POST",
    path: string,
    send: (client: JsonClient, address: string) => Promise<T>,
    more: Record<string, string> = {},
  ): Promise<T> {
    const address = new URL(`${url}${path}`)
    const headers = { authorization: `Bearer ${await token(method, address, now())}`, ...more }
    return told(send(jsonClient({ url, headers, timeoutMs, ...(pausesMs && { pausesMs }) }), address.href))
  }

  return {
    open(payment: PaymentRequest): Promise<CoinbaseCheckout> {
      const idempotencyKey = uuidOf(payment.attemptId)
      const wish = { body: wishOf(payment), as: CoinbaseCheckout, idempotencyKey }
      return call("POST", "", (client, address) => client.post(address, wish), {
        "x-idempotency-key": idempotencyKey,
      })
    },
    about(id: string): Promise<CoinbaseCheckout> {
      return call("GET", `/${encodeURIComponent(id)}`, (client, address) =>
        client.get(address, CoinbaseCheckout),
      )
    },
    /** Deactivating twice is as good as once, so it may be repeated. */
    deactivate(id: string): Promise<CoinbaseCheckout> {
      const wish = { body: {}, as: CoinbaseCheckout, idempotencyKey: uuidOf(`deactivate ${id}`) }
      return call("POST", `/${encodeURIComponent(id)}/deactivate`, (client, address) =>
        client.post(address, wish),
      )
    },
  }
}

function wishOf({ attemptId, orderId, amount, ...payment }: PaymentRequest) {
  return {
    amount: toDecimal(amount),
    currency: amount.currency,
    description: `Order ${orderId}`,
    metadata: { attempt: attemptId, order: orderId },
    successRedirectUrl: payment.returnUrl,
    failRedirectUrl: payment.cancelUrl,
    expiresAt: new Date(payment.expiresAt).toISOString(),
  }
}

/** The provider takes only UUIDs as keys: one that is always the same for the same attempt (RFC 9562, version 8). */
function uuidOf(name: string): string {
  const hex = createHash("sha256").update(`boxoffice ${name}`).digest("hex")
  const [a, b, c, d, e] = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(13, 16),
    hex.slice(17, 20),
    hex.slice(20, 32),
  ]
  return `${a}-${b}-8${c}-8${d}-${e}`
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof NeighbourError) throw new GatewayError(cause.kind, cause.message, { cause })
    throw cause
  }
}

/** The events that say how a checkout stands; links of before 2026 send them under their old names. */
const ABOUT_PAYMENT = /^(checkout|payment_link)\.(payment|refund)\./

const Event = z.object({ eventType: z.string() })

function readNews(callback: RawCallback, secrets: readonly string[]): PaymentNews | null {
  checkHook0(callback, secrets)
  const said = json(callback.body)
  if (!ABOUT_PAYMENT.test(shaped(Event, said).eventType)) return null
  return newsOf(shaped(CoinbaseCheckout, said))
}

function json(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch (cause) {
    throw new UntrustedCallback("not JSON", { cause })
  }
}

/** Signed, so it is the provider that speaks: what cannot be read is loud, and it sends it again. */
function shaped<T>(as: z.ZodType<T>, said: unknown): T {
  const parsed = as.safeParse(said)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  throw new GatewayError("unreadable", `coinbase calls back with nonsense: ${z.prettifyError(cause)}`, {
    cause,
  })
}
