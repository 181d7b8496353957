import { createHash } from "node:crypto"
import type { Instant } from "~/domain/calendar"
import { toDecimal } from "~/domain/money"
import { type Gateway, GatewayError, type PaymentRequest } from "~/gateways/gateway"
import { withGatewayErrors } from "~/gateways/gateway-errors"
import { jsonClient } from "~/http/json-client.server"
import { parseCoinbaseCallback } from "./callback.server"
import { CoinbaseCheckout, toPaymentUpdate } from "./checkout"
import { isCommerce, parseCommerceCallback } from "./commerce.server"
import { type CoinbaseKey, tokensWith } from "./jwt.server"

export type CoinbaseSettings = {
  /** The Checkouts API: `https://business.coinbase.com/api/v1/checkouts`. */
  url: string
  /** Where its pay pages live, if not at the API's own origin. */
  payOrigin?: string
  key: CoinbaseKey
  /** Secrets of webhook subscriptions; any of them may have signed a callback. */
  webhookSecrets: readonly string[]
  /** Shared secrets of a former Commerce account, for what its last charges still have to say. */
  commerceSecrets?: readonly string[]
  /** For one question with its repeats, in milliseconds. */
  timeoutMs: number
  /** Waits before repeats, in milliseconds, where the usual ones do not suit. */
  retryDelaysMs?: readonly number[]
  now: () => Instant
}

/**
 * Coinbase's Checkouts, which settle in USDC whatever the price is in. Throws at once when a key or a secret is
 * missing or cannot be one.
 */
export function openCoinbase(settings: CoinbaseSettings): Gateway {
  const { url, payOrigin, webhookSecrets, commerceSecrets = [] } = settings
  if (webhookSecrets.length === 0 || webhookSecrets.includes("")) {
    throw new Error("COINBASE_WEBHOOK_SECRET is missing: without it no callback of Coinbase can be trusted")
  }
  if (commerceSecrets.includes("")) throw new Error("COINBASE_COMMERCE_SECRET is empty")
  const coinbase = coinbaseApi(settings)
  const origins = [...new Set([payOrigin ?? url, url].map((it) => new URL(it).origin))]
  return {
    id: "coinbase",
    origins,
    // A checkout is single use, for the exact amount.
    takesTopUps: false,
    async startPayment(payment) {
      const { paymentId, url: payPage } = await coinbase.open(payment)
      if (payPage && origins.includes(new URL(payPage).origin)) return { paymentId, url: payPage }
      throw new GatewayError("unreadable", "coinbase sends the buyer to an origin that is not its own")
    },
    async closePayment({ paymentId }) {
      const { isDeactivated } = await coinbase.deactivate(paymentId).catch((error: unknown) => {
        // Only active checkouts can be: it may have been paid, have ended, or have been deactivated already.
        if (error instanceof GatewayError && error.kind === "refused") return coinbase.about(paymentId)
        throw error
      })
      return isDeactivated ? "closed" : "stays-open"
    },
    async fetchPayment({ paymentId }) {
      const checkout = await coinbase.about(paymentId)
      if (checkout.paymentId === paymentId) return toPaymentUpdate(checkout)
      throw new GatewayError("unreadable", "coinbase answered about another checkout")
    },
    // It settles in USDC alone, and asks for it on its own page.
    onSite: null,
    parseCallback: (callback) =>
      isCommerce(callback) && commerceSecrets.length > 0
        ? parseCommerceCallback(callback, commerceSecrets)
        : parseCoinbaseCallback(callback, webhookSecrets),
  }
}

/** The questions of the API, each with a token of its own. */
function coinbaseApi({ key, now, ...upstream }: CoinbaseSettings) {
  const token = tokensWith(key)
  const client = jsonClient({
    ...upstream,
    authorize: async (method, url) => ({ authorization: `Bearer ${await token(method, url, now())}` }),
    idempotencyHeader: "x-idempotency-key",
  })
  const at = (id: string) => `${upstream.url}/${encodeURIComponent(id)}`
  const as = CoinbaseCheckout
  return {
    open(payment: PaymentRequest): Promise<CoinbaseCheckout> {
      const idempotencyKey = uuidOf(payment.attemptId)
      return withGatewayErrors(
        client.post(upstream.url, { body: toCreateRequest(payment), as, idempotencyKey }),
      )
    },
    about(id: string): Promise<CoinbaseCheckout> {
      return withGatewayErrors(client.get(at(id), as))
    },
    /** Deactivating twice is as good as once, so it may be repeated. */
    deactivate(id: string): Promise<CoinbaseCheckout> {
      const idempotencyKey = uuidOf(`deactivate ${id}`)
      return withGatewayErrors(client.post(`${at(id)}/deactivate`, { body: {}, as, idempotencyKey }))
    },
  }
}

function toCreateRequest({ attemptId, orderId, amount, ...payment }: PaymentRequest) {
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
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5")
}
