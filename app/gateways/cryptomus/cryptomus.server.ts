import { z } from "zod"
import { HOUR, type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { sameAmount, toDecimal } from "~/domain/money"
import { type Gateway, GatewayError, type PaymentRequest } from "~/gateways/gateway"
import { withGatewayErrors } from "~/gateways/gateway-errors"
import { jsonClient } from "~/http/json-client.server"
import { parseCryptomusCallback } from "./callback.server"
import { CryptomusInvoice, orderIdOf, toPaymentUpdate } from "./invoice"
import { CryptomusCoins, transferOf } from "./on-site"
import { parseAs } from "./parsing"
import { signatureOf } from "./signature.server"

export type CryptomusSettings = {
  /** Where its API begins: `https://api.cryptomus.com/v1`, or another's that speaks it (`https://api.heleket.com/v1`). */
  url: string
  /** Where its pay pages live, if not at the API's own origin. */
  payOrigin?: string | undefined
  merchant: string
  /** The key for payments, which signs both ways; the one for payouts is another. */
  paymentKey: string
  /** The only addresses its callbacks come from; without them any will do, for the signature is what counts. */
  webhookAddresses?: readonly string[] | undefined
  /** For one question with its repeats, in milliseconds. */
  timeoutMs: number
  /** Waits before repeats, in milliseconds, where the usual ones do not suit. */
  retryDelaysMs?: readonly number[]
  now: () => Instant
}

/** Cryptomus, and Heleket, which speaks the same. Throws at once when the merchant or the key is missing. */
export function openCryptomus(settings: CryptomusSettings): Gateway {
  const { url, payOrigin, merchant, paymentKey, webhookAddresses, now } = settings
  if (merchant === "") throw new Error("CRYPTOMUS_MERCHANT is missing")
  if (paymentKey === "") {
    throw new Error("CRYPTOMUS_PAYMENT_KEY is missing: without it no callback of Cryptomus can be trusted")
  }
  const cryptomus = cryptomusApi(settings)
  const origins = [...new Set([payOrigin ?? url, url].map((it) => new URL(it).origin))]
  return {
    id: "cryptomusgateway",
    origins,
    // While it says `wrong_amount_waiting`: invoices are opened with `is_payment_multiple`.
    takesTopUps: true,
    async startPayment(payment) {
      const invoice = await cryptomus.open(toCreateRequest(payment, now()))
      if (invoice.attemptId !== payment.attemptId || !sameAmount(invoice.price, payment.amount)) {
        throw new GatewayError("unreadable", "cryptomus opened another invoice than it was asked for")
      }
      const { paymentId, url: payPage, endsAt } = invoice
      if (payPage && origins.includes(new URL(payPage).origin)) {
        return { paymentId, url: payPage, ...(endsAt !== null && { endsAt }) }
      }
      throw new GatewayError("unreadable", "cryptomus sends the buyer to an origin that is not its own")
    },
    fetchPayment: async ({ paymentId }) => toPaymentUpdate(await cryptomus.about(paymentId)),
    // Its API has no way to ask for that: an invoice ends when its time is over (reference, section 3).
    closePayment: async () => "stays-open",
    parseCallback: (callback) =>
      parseCryptomusCallback(callback, { paymentKey, addresses: webhookAddresses ?? null }),
    calls: {
      resend: ({ paymentId }) => cryptomus.resend(paymentId),
      sendTest: ({ callbackUrl }) => cryptomus.testWebhook(callbackUrl),
    },
    onSite: {
      coins: () => cryptomus.coins(),
      async transfer({ paymentId }) {
        const { bill } = await cryptomus.about(paymentId)
        return bill && transferOf(bill)
      },
    },
  }
}

/** 0 is success; everything else is a no, whatever the HTTP status. */
const CryptomusResponse = z.object({ state: z.number(), result: z.unknown().optional() })

/** The questions of the API, each signed over the very bytes that are sent. */
function cryptomusApi({ merchant, paymentKey, ...upstream }: CryptomusSettings) {
  const client = jsonClient({ ...upstream, headers: { merchant } })
  const sign = (text: string) => ({ sign: signatureOf(text, paymentKey) })

  /** All may be repeated: an order's name is the same invoice again, and the others change nothing. */
  async function answer<T>(path: string, body: object, as: z.ZodType<T>): Promise<T> {
    const params = client.post(path, { body, as: CryptomusResponse, repeatable: true, sign })
    const { state, result } = await withGatewayErrors(params)
    if (state === 0) return parseAs(as, result, "answers")
    throw new GatewayError("refused", `cryptomus said no to ${path}`)
  }

  return {
    open: (request: InvoiceRequest) => answer("payment", request, CryptomusInvoice),
    coins: () => answer("payment/services", {}, CryptomusCoins),
    async resend(uuid: string): Promise<void> {
      await answer("payment/resend", { uuid }, z.unknown())
    },
    /** In which coin does not matter: nobody pays. */
    async testWebhook(url_callback: string): Promise<void> {
      const request = { url_callback, currency: "USDT", network: "tron", status: "paid" }
      await answer("test-webhook/payment", request, z.unknown())
    },
    async about(uuid: string): Promise<CryptomusInvoice> {
      const invoice = await answer("payment/info", { uuid }, CryptomusInvoice)
      if (invoice.paymentId === uuid) return invoice
      throw new GatewayError("unreadable", "cryptomus answered about another invoice")
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

/** In seconds, within what the provider takes. An order that lasts longer is paid by a new invoice then. */
function lifetimeUntil(expiresAt: Instant, now: Instant): number {
  const [min, max] = [5 * MINUTE, 12 * HOUR]
  return Math.floor(Math.min(Math.max(expiresAt - now, min), max) / SECOND)
}
