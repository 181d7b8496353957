import { z } from "zod"
import { HOUR, type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { sameAmount, toDecimal } from "~/domain/money/money"
import { type Gateway, GatewayError, type PaymentRequest } from "~/gateways/gateway"
import { withGatewayErrors } from "~/gateways/gateway-errors"
import { checkPaymentId, gatewayOf, originsOf } from "~/gateways/gateway-form"
import { parseAs } from "~/gateways/webhook.server"
import { jsonClient } from "~/http/json-client.server"
import { readCryptomusCallback } from "./callback.server"
import { CryptomusInvoice, orderIdOf, source, toPaymentUpdate } from "./invoice"
import { CryptomusCoins, transferOf } from "./on-site"
import { paymentRefunds } from "./refund-payment.server"
import { signatureOf } from "./signature.server"
import { type InvoiceStatus, invoiceStatuses } from "./status"
import { openCryptomusWebhook, signedTest } from "./webhook.server"

export type CryptomusSettings = {
  /** Base URL of the API: `https://api.cryptomus.com/v1`, or a compatible one (`https://api.heleket.com/v1`). */
  url: string
  /** Origin of the payment pages, if it differs from the API's. */
  payOrigin?: string | undefined
  merchant: string
  /** Payment API key, which signs requests and callbacks; not the payout key. */
  paymentKey: string
  /** IP addresses that callbacks may come from; without it any address is accepted, subject to the signature. */
  webhookAddresses?: readonly string[] | undefined
  /** For one request including its retries, in milliseconds. */
  timeoutMs: number
  /** Delays before retries, in milliseconds; overrides the defaults. */
  retryDelaysMs?: readonly number[]
  now: () => Instant
}

/** Creates the gateway for Cryptomus, or Heleket with the same API. Throws when the merchant or the key is missing. */
export function openCryptomus(settings: CryptomusSettings): Gateway {
  const { url, payOrigin, merchant, paymentKey, webhookAddresses, now } = settings
  if (merchant === "") throw new Error("CRYPTOMUS_MERCHANT is required")
  if (paymentKey === "") {
    throw new Error("CRYPTOMUS_PAYMENT_KEY is required to sign requests and verify callbacks")
  }
  const cryptomus = cryptomusApi(settings)
  const trust = { paymentKey, addresses: webhookAddresses ?? null }
  return gatewayOf({
    id: "cryptomusgateway",
    name: "Cryptomus",
    origins: originsOf(payOrigin ?? url, url),
    // While the status is `wrong_amount_waiting`: invoices are created with `is_payment_multiple`.
    takesTopUps: true,
    async open(payment) {
      const invoice = await cryptomus.open(toCreateRequest(payment, now()))
      if (invoice.attemptId !== payment.attemptId || !sameAmount(invoice.price, payment.amount)) {
        throw new GatewayError(
          "unreadable",
          "Invalid Cryptomus invoice: attempt or amount does not match the request",
        )
      }
      const { paymentId, url: payPage, endsAt } = invoice
      return { paymentId, url: payPage, ...(endsAt !== null && { endsAt }) }
    },
    verify: (callback) => openCryptomusWebhook(callback, trust),
    read: readCryptomusCallback,
    test: () => signedTest(paymentKey),
    poll: async (paymentId) => toPaymentUpdate(await cryptomus.about(paymentId)),
    // The API cannot cancel an invoice: it ends when it expires (docs/gateways.md, Cryptomus).
    close: null,
    onSite: {
      coins: () => cryptomus.coins(),
      async transfer({ paymentId }) {
        const { bill } = await cryptomus.about(paymentId)
        return bill && transferOf(bill)
      },
    },
    refunds: paymentRefunds(cryptomus),
    calls: {
      resend: ({ paymentId }) => cryptomus.resend(paymentId),
      sendTest: ({ callbackUrl }) => cryptomus.testWebhook(callbackUrl),
    },
  })
}

/** `state` 0 is success; any other value is an error, whatever the HTTP status. */
const CryptomusResponse = z.object({ state: z.number(), result: z.unknown().optional() })

const InvoiceState = z.object({ status: z.enum(invoiceStatuses) })

/** Client for the API; each request is signed over the exact bytes of its body. */
function cryptomusApi({ merchant, paymentKey, ...upstream }: CryptomusSettings) {
  const client = jsonClient({ ...upstream, headers: { merchant } })
  const sign = (text: string) => ({ sign: signatureOf(text, paymentKey) })

  /** Requests may be retried, since creating is idempotent per `order_id`, and others change no payment; a refund may not. */
  async function call<T>(
    path: string,
    body: object,
    as: z.ZodType<T>,
    { repeatable = true } = {},
  ): Promise<T> {
    const response = client.post(path, { body, as: CryptomusResponse, repeatable, sign })
    const { state, result } = await withGatewayErrors(response)
    if (state === 0) return parseAs(as, result, source("response"))
    throw new GatewayError("refused", `Cryptomus rejected the request: ${path}`)
  }

  return {
    open: (request: InvoiceRequest) => call("payment", request, CryptomusInvoice),
    coins: () => call("payment/services", {}, CryptomusCoins),
    async resend(uuid: string): Promise<void> {
      await call("payment/resend", { uuid }, z.unknown())
    },
    /** The coin is arbitrary: no payment is made. */
    async testWebhook(url_callback: string): Promise<void> {
      const request = { url_callback, currency: "USDT", network: "tron", status: "paid" }
      await call("test-webhook/payment", request, z.unknown())
    },
    async status(uuid: string): Promise<InvoiceStatus> {
      return (await call("payment/info", { uuid }, InvoiceState)).status
    },
    /** The merchant pays the network, so that the buyer gets the whole amount. */
    async refund(uuid: string, address: string): Promise<void> {
      await call("payment/refund", { uuid, address, is_subtract: true }, z.unknown(), { repeatable: false })
    },
    async about(uuid: string): Promise<CryptomusInvoice> {
      const invoice = await call("payment/info", { uuid }, CryptomusInvoice)
      checkPaymentId({ name: "Cryptomus" }, invoice.paymentId, uuid)
      return invoice
    },
  }
}

type InvoiceRequest = ReturnType<typeof toCreateRequest>

function toCreateRequest({ attemptId, orderId, amount, coin, ...payment }: PaymentRequest, now: Instant) {
  return {
    amount: toDecimal(amount),
    currency: amount.currency,
    order_id: orderIdOf(attemptId),
    url_return: payment.cancelUrl,
    url_success: payment.returnUrl,
    url_callback: payment.callbackUrl,
    is_payment_multiple: true,
    lifetime: lifetimeUntil(payment.expiresAt, now),
    additional_data: orderId,
    ...(coin && { to_currency: coin.currency, network: coin.network }),
  }
}

/** Lifetime in seconds, within the provider's limits. If the order outlives the invoice, it gets a new invoice. */
function lifetimeUntil(expiresAt: Instant, now: Instant): number {
  const [min, max] = [5 * MINUTE, 12 * HOUR]
  return Math.floor(Math.min(Math.max(expiresAt - now, min), max) / SECOND)
}
