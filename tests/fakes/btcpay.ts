import { createHmac } from "node:crypto"
import { HttpResponse, http } from "msw"
import type { RawCallback } from "~/gateways/gateway"

export const BTCPAY_URL = "https://btcpay.test"
export const BTCPAY_STORE = "store-1"
export const BTCPAY_KEY = "dev-api-key"
export const BTCPAY_HOOK = "dev-btcpay-secret"

/** URL of the store's invoices. */
export const INVOICES = `${BTCPAY_URL}/api/v1/stores/${BTCPAY_STORE}/invoices`
export const STORE_METHODS = `${BTCPAY_URL}/api/v1/stores/${BTCPAY_STORE}/payment-methods`

type Json = Record<string, unknown>

/** Returns an invoice as the provider's API does: paid in full by default. */
export function btcpayInvoice(changes: Json = {}) {
  const id = typeof changes.id === "string" ? changes.id : "FaMxAZJ1RTFhRqFv4SHmNd"
  return {
    id,
    storeId: BTCPAY_STORE,
    type: "Standard",
    currency: "EUR",
    amount: "12.50",
    paidAmount: "12.50",
    checkoutLink: `${BTCPAY_URL}/i/${id}`,
    createdTime: 1_795_176_000,
    expirationTime: 1_795_262_400,
    monitoringExpiration: 1_795_867_200,
    status: "Settled",
    additionalStatus: "None",
    archived: false,
    availableStatusesForManualMarking: [],
    metadata: { orderId: "attempt-7", attemptId: "attempt-7", itemDesc: "Order ORDER7" },
    checkout: { expirationMinutes: 1_440, paymentMethods: ["BTC-CHAIN"], defaultPaymentMethod: null },
    ...changes,
  }
}

/** Returns a payment method of an invoice: a bitcoin costs 50 000, and nothing is paid by default. */
export function btcpayMethod(changes: Json = {}) {
  return {
    paymentMethodId: "BTC-CHAIN",
    currency: "BTC",
    activated: true,
    rate: "50000.00",
    destination: "bcrt1qdestination",
    paymentLink: "bitcoin:bcrt1qdestination?amount=0.00025000",
    amount: "0.00025000",
    due: "0.00025000",
    totalPaid: "0",
    paymentMethodPaid: "0",
    paymentMethodFee: "0",
    payments: [] as Json[],
    ...changes,
  }
}

/** Returns one payment of an invoice. */
export function btcpayPayment(value: string, status: string, changes: Json = {}) {
  return { id: "tx-0", receivedDate: 1_795_176_100, value, fee: "0", status, ...changes }
}

type InvoiceRequest = { amount: string; currency: string; metadata: Record<string, string> }

/** Invoices created through the fake, by id. */
const opened = new Map<string, ReturnType<typeof btcpayInvoice>>()

/** A fault-free BTCPay. Tests override one handler to simulate a failure. */
export const btcpayHandlers = [
  http.post(INVOICES, async ({ request }) => {
    const { amount, currency, metadata } = (await request.json()) as InvoiceRequest
    const id = Buffer.from(`${metadata.orderId}`).toString("hex")
    const invoice = btcpayInvoice({ id, amount, currency, metadata, paidAmount: "0", status: "New" })
    opened.set(id, invoice)
    return HttpResponse.json(invoice)
  }),
  http.get(INVOICES, ({ request }) => {
    const wanted = new URL(request.url).searchParams.getAll("orderId")
    return HttpResponse.json([...opened.values()].filter((it) => wanted.includes(it.metadata.orderId)))
  }),
  http.get(`${INVOICES}/:id`, ({ params }) => {
    const id = String(params.id)
    return HttpResponse.json(opened.get(id) ?? btcpayInvoice({ id }))
  }),
  http.get(`${INVOICES}/:id/payment-methods`, () => HttpResponse.json([btcpayMethod()])),
  http.post(`${INVOICES}/:id/status`, ({ params }) => {
    const id = String(params.id)
    const known = opened.get(id)
    if (known?.status !== "New") return HttpResponse.json([{ path: "status" }], { status: 422 })
    const marked = { ...known, status: "Invalid", additionalStatus: "Marked" }
    opened.set(id, marked)
    return HttpResponse.json(marked)
  }),
  http.get(STORE_METHODS, () =>
    HttpResponse.json([
      { paymentMethodId: "BTC-CHAIN", enabled: true, config: null },
      { paymentMethodId: "BTC-LN", enabled: true, config: null },
      { paymentMethodId: "LTC-CHAIN", enabled: true, config: null },
    ]),
  ),
]

type Signed = { body: string; at: number; secret?: string }

/** Returns a callback signed like the provider's; `at` is its arrival in milliseconds. */
export function btcpayCallback({ body, at, secret = BTCPAY_HOOK }: Signed): RawCallback {
  const code = createHmac("sha256", secret).update(body).digest("hex")
  const headers = new Headers({ "btcpay-sig": `sha256=${code}` })
  return { headers, body: Buffer.from(body), at, address: null }
}

/** Returns the body of a callback about an invoice. */
export function invoiceSettled(changes: Json = {}): string {
  return JSON.stringify({
    deliveryId: "d-2",
    webhookId: "w-1",
    originalDeliveryId: "d-1",
    isRedelivery: true,
    type: "InvoiceSettled",
    timestamp: 1_795_176_200,
    storeId: BTCPAY_STORE,
    invoiceId: "FaMxAZJ1RTFhRqFv4SHmNd",
    manuallyMarked: false,
    overPaid: false,
    metadata: { orderId: "attempt-7", attemptId: "attempt-7", itemDesc: "Order ORDER7" },
    ...changes,
  })
}
