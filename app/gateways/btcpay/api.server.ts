import { z } from "zod"
import { DAY, HOUR, type Instant, MINUTE } from "~/domain/calendar"
import { toDecimal } from "~/domain/money"
import type { PaymentRequest } from "~/gateways/gateway"
import { withGatewayErrors } from "~/gateways/gateway-errors"
import { jsonClient } from "~/http/json-client.server"
import { BtcpayInvoice, type Sums, sumsByItself, sumsOf } from "./invoice"
import { InvoiceMethods, methodOf, StoreMethods, sumsIn } from "./methods"

export type BtcpaySettings = {
  /** The server's base address: its API begins at `{url}/api/v1`, its pay pages are at the same origin. */
  url: string
  /** The store's id. */
  store: string
  /** An API key that may view, create and modify the store's invoices and view its settings. */
  key: string
  /** Secrets of the store's webhooks; any of them may have signed a callback. */
  webhookSecrets: readonly string[]
  /** For one question with its repeats, in milliseconds. */
  timeoutMs: number
  /** Waits before repeats, in milliseconds, where the usual ones do not suit. */
  retryDelaysMs?: readonly number[]
  now: () => Instant
}

export type BtcpayApi = ReturnType<typeof btcpayApi>

/** A payment just begun must be possible. Coins move: no rate is held for long, and a fresh one is a press away. */
const MIN_MIN = 5
const MAX_MIN = HOUR / MINUTE
/** So long money that comes late is still noticed: as long as late payments are accepted (design, section 5). */
const WATCHED_MIN = (7 * DAY) / MINUTE

/** The questions of the Greenfield API that are about one store. Each throws a `GatewayError`. */
export function btcpayApi({ store, key, now, ...upstream }: BtcpaySettings) {
  const client = jsonClient({ ...upstream, headers: { authorization: `token ${key}` } })
  const home = `api/v1/stores/${encodeURIComponent(store)}`
  const at = (id: string) => `${home}/invoices/${encodeURIComponent(id)}`
  const ours = BtcpayInvoice.refine(({ storeId }) => storeId === store, "belongs to another store")
  const named = (id: string) => ours.refine(({ paymentId }) => paymentId === id, "is another invoice")
  const methods = (id: string) => withGatewayErrors(client.get(`${at(id)}/payment-methods`, InvoiceMethods))
  return {
    methods,
    /** The invoice opened for an attempt, the oldest where there are two; null when there is none. */
    async opened(attemptId: string): Promise<BtcpayInvoice | null> {
      const query = new URLSearchParams({ orderId: attemptId })
      const found = await withGatewayErrors(client.get(`${home}/invoices?${query}`, z.array(ours)))
      // Newest first is how it lists them.
      return found.findLast((it) => it.attemptId === attemptId) ?? null
    },
    /** Made once and never repeated: the provider has no key by which it would know a repeat. */
    create(payment: PaymentRequest): Promise<BtcpayInvoice> {
      return withGatewayErrors(
        client.post(`${home}/invoices`, { body: toCreateRequest(payment, now()), as: ours }),
      )
    },
    about(id: string): Promise<BtcpayInvoice> {
      return withGatewayErrors(client.get(at(id), named(id)))
    },
    async sums(invoice: BtcpayInvoice): Promise<Sums> {
      const plain = sumsByItself(invoice)
      if (plain) return plain
      return sumsOf(invoice, sumsIn(await methods(invoice.paymentId), invoice.amount.currency))
    },
    invalidate(id: string): Promise<BtcpayInvoice> {
      return withGatewayErrors(
        client.post(`${at(id)}/status`, { body: { status: "Invalid" }, as: named(id) }),
      )
    },
    storeMethods() {
      return withGatewayErrors(client.get(`${home}/payment-methods?onlyEnabled=true`, StoreMethods))
    },
  }
}

/** The attempt stands where an order's name belongs, because invoices can be looked for by that alone. */
function toCreateRequest({ attemptId, orderId, amount, coin, ...payment }: PaymentRequest, now: Instant) {
  const method = coin && methodOf(coin)
  const minutes = Math.ceil((payment.expiresAt - now) / MINUTE)
  return {
    amount: toDecimal(amount),
    currency: amount.currency,
    metadata: {
      ...{ orderId: attemptId, attemptId, itemDesc: `Order ${orderId}` },
      ...(method && { coin: method }),
    },
    checkout: {
      expirationMinutes: Math.min(Math.max(minutes, MIN_MIN), MAX_MIN),
      monitoringMinutes: WATCHED_MIN,
      // Left out it would be the store's own, and an invoice settled with less than it asks for.
      paymentTolerance: 0,
      redirectURL: payment.returnUrl,
      redirectAutomatically: true,
      defaultLanguage: payment.locale.iso,
      // Lazy ones have no address before the provider's own page is opened.
      ...(method && { paymentMethods: [method], defaultPaymentMethod: method, lazyPaymentMethods: false }),
    },
  }
}
