import { createHash } from "node:crypto"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import { toDecimal } from "~/domain/money/money"
import { type Gateway, GatewayError, type PaymentRequest } from "~/gateways/gateway"
import { withGatewayErrors } from "~/gateways/gateway-errors"
import { checkPaymentId, gatewayOf, originsOf } from "~/gateways/gateway-form"
import { jsonClient } from "~/http/json-client.server"
import { readCoinbaseCallback } from "./callback.server"
import { CoinbaseCheckout, toPaymentUpdate } from "./checkout"
import { type CoinbaseKey, tokensWith } from "./jwt.server"
import { checkoutRefunds, type RefundBody, RefundedCheckout } from "./refund-checkout.server"
import { openHook0, signedTest } from "./webhook.server"

export type CoinbaseSettings = {
  /** The Checkouts API: `https://business.coinbase.com/api/v1/checkouts`. */
  url: string
  /** Origin of the payment pages, if it differs from the API's. */
  payOrigin?: string
  key: CoinbaseKey
  /** Secrets of webhook subscriptions; a callback may be signed with any of them. */
  webhookSecrets: readonly string[]
  /** For one request including its retries, in milliseconds. */
  timeoutMs: number
  /** Delays before retries, in milliseconds; overrides the defaults. */
  retryDelaysMs?: readonly number[]
  now: () => Instant
}

/**
 * Creates the gateway for Coinbase Checkouts, which settle in USDC whatever the currency of the price. Throws when a
 * key or secret is missing or malformed.
 */
export function openCoinbase(settings: CoinbaseSettings): Gateway {
  const { url, payOrigin, webhookSecrets } = settings
  if (webhookSecrets.length === 0 || webhookSecrets.includes("")) {
    throw new Error("COINBASE_WEBHOOK_SECRET is required to verify callbacks")
  }
  const coinbase = coinbaseApi(settings)
  return gatewayOf({
    id: "coinbase",
    name: "Coinbase",
    origins: originsOf(payOrigin ?? url, url),
    // A checkout is single-use, for the exact amount.
    takesTopUps: false,
    async open(payment) {
      const { paymentId, url: payPage } = await coinbase.open(payment)
      return { paymentId, url: payPage }
    },
    verify: (callback) => openHook0(callback, webhookSecrets),
    read: readCoinbaseCallback,
    test: (at) => signedTest(webhookSecrets, at),
    async poll(paymentId) {
      const checkout = await coinbase.about(paymentId)
      checkPaymentId({ name: "Coinbase" }, checkout.paymentId, paymentId)
      return toPaymentUpdate(checkout)
    },
    async close(paymentId) {
      const { isDeactivated } = await coinbase.deactivate(paymentId).catch((error: unknown) => {
        // Only active checkouts can be deactivated: this one may be paid, ended or already deactivated.
        if (error instanceof GatewayError && error.kind === "refused") return coinbase.about(paymentId)
        throw error
      })
      return isDeactivated
    },
    // Checkouts are paid in USDC only, on the hosted page.
    onSite: null,
    calls: null,
    refunds: checkoutRefunds({ about: coinbase.refundsOf, refund: coinbase.refund }),
  })
}

/** Client for the Checkouts API; each request carries its own JWT. */
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
    refundsOf(id: string): Promise<RefundedCheckout> {
      return withGatewayErrors(client.get(at(id), RefundedCheckout))
    },
    /** The response is not read: samples differ in whether the checkout is a member of it. */
    refund(id: string, body: RefundBody, key: string): Promise<unknown> {
      const headers = { "x-idempotency-key": uuidOf(`refund ${key}`) }
      return withGatewayErrors(client.post(`${at(id)}/refund`, { body, as: z.unknown(), headers }))
    },
    /** Idempotent, so it may be retried. */
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

/** Derives an idempotency key from a name. The API accepts only UUIDs, so it is a UUID version 8 (RFC 9562). */
function uuidOf(name: string): string {
  const hex = createHash("sha256").update(`boxoffice ${name}`).digest("hex")
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5")
}
