import { z } from "zod"
import { DAY, HOUR, type Instant, MINUTE } from "~/domain/calendar"
import { toDecimal } from "~/domain/money/money"
import type { PaymentRequest } from "~/gateways/gateway"
import { withGatewayErrors } from "~/gateways/gateway-errors"
import { jsonClient } from "~/http/json-client.server"
import { BtcpayInvoice, type Sums, sumsByItself, sumsOf } from "./invoice"
import { InvoiceMethods, methodOf, StoreMethods, sumsIn } from "./methods"
import { PullPayment, type RefundBody } from "./refund-invoice.server"

export type BtcpaySettings = {
  /** Base URL of the server: the API is at `{url}/api/v1`, payment pages are at the same origin. */
  url: string
  /** The store's id. */
  store: string
  /** An API key that may view, create and modify the store's invoices, view its settings, and create pull payments. */
  key: string
  /** Secrets of the store's webhooks; a callback may be signed with any of them. */
  webhookSecrets: readonly string[]
  /** For one request including its retries, in milliseconds. */
  timeoutMs: number
  /** Delays before retries, in milliseconds; overrides the defaults. */
  retryDelaysMs?: readonly number[]
  now: () => Instant
}

export type BtcpayApi = ReturnType<typeof btcpayApi>

/**
 * Bounds of an invoice's lifetime in minutes: time enough to pay, but no stale rate. The buyer can request a new
 * invoice.
 */
const MIN_MIN = 5
const MAX_MIN = HOUR / MINUTE
/** Minutes the server watches for late payments: as long as the shop accepts them (specification, Payments). */
const WATCHED_MIN = (7 * DAY) / MINUTE

/** Client for the Greenfield API of one store. Each method throws `GatewayError`. */
export function btcpayApi({ store, key, now, ...upstream }: BtcpaySettings) {
  const client = jsonClient({ ...upstream, headers: { authorization: `token ${key}` } })
  const home = `api/v1/stores/${encodeURIComponent(store)}`
  const at = (id: string) => `${home}/invoices/${encodeURIComponent(id)}`
  const invoiceOfStore = BtcpayInvoice.refine(({ storeId }) => storeId === store, "belongs to another store")
  const named = (id: string) =>
    invoiceOfStore.refine(({ paymentId }) => paymentId === id, "is another invoice")
  const methods = (id: string) => withGatewayErrors(client.get(`${at(id)}/payment-methods`, InvoiceMethods))
  return {
    methods,
    /** Finds the invoice of an attempt, the oldest if there are several; null if none exists. */
    async opened(attemptId: string): Promise<BtcpayInvoice | null> {
      const query = new URLSearchParams({ orderId: attemptId })
      const found = await withGatewayErrors(client.get(`${home}/invoices?${query}`, z.array(invoiceOfStore)))
      // The API lists invoices newest first.
      return found.findLast((it) => it.attemptId === attemptId) ?? null
    },
    /** Creates an invoice. Never retried: the API has no idempotency key. */
    create(payment: PaymentRequest): Promise<BtcpayInvoice> {
      return withGatewayErrors(
        client.post(`${home}/invoices`, { body: toCreateRequest(payment, now()), as: invoiceOfStore }),
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
    pullPayments() {
      const all = `${home}/pull-payments?includeArchived=true`
      return withGatewayErrors(client.get(all, z.array(PullPayment)))
    },
    /** Never retried: the API has no idempotency key. */
    refund(id: string, body: RefundBody) {
      return withGatewayErrors(client.post(`${at(id)}/refund`, { body, as: PullPayment }))
    },
    storeMethods() {
      return withGatewayErrors(client.get(`${home}/payment-methods?onlyEnabled=true`, StoreMethods))
    },
  }
}

/** Sends the attempt id as `orderId`, the only member by which the API can search invoices. */
function toCreateRequest({ attemptId, orderId, amount, coin, ...payment }: PaymentRequest, now: Instant) {
  const method = coin && methodOf(coin)
  // Rounded down: the payment page must not promise more time than the order has.
  const minutes = Math.floor((payment.expiresAt - now) / MINUTE)
  return {
    amount: toDecimal(amount),
    currency: amount.currency,
    metadata: {
      orderId: attemptId,
      attemptId,
      itemDesc: `Order ${orderId}`,
      ...(method && { coin: method }),
    },
    checkout: {
      expirationMinutes: Math.min(Math.max(minutes, MIN_MIN), MAX_MIN),
      monitoringMinutes: WATCHED_MIN,
      // Without it, the store's own tolerance applies and an underpaid invoice could settle.
      paymentTolerance: 0,
      redirectURL: payment.returnUrl,
      redirectAutomatically: true,
      defaultLanguage: payment.locale.iso,
      // A lazy payment method has no address until the buyer opens the hosted payment page.
      ...(method && { paymentMethods: [method], defaultPaymentMethod: method, lazyPaymentMethods: false }),
    },
  }
}
