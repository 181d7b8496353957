import { randomUUID } from "node:crypto"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import { currencies, fromDecimal, money, toDecimal } from "~/domain/money/money"
import { bodyOf, type Exchange, json, requestJson, type SandboxResponse } from "../http.server"
import type { ApiRefund, SandboxPayment } from "../payment"
import type { Payments } from "../payments.server"
import { methodNames, methodsJson } from "./coins"
import { CreateInvoiceRequest, invoiceDetails, invoiceJson, newInvoiceName } from "./wire.server"

/** The shop's store, its API key, and secret and URL of the store's webhook. */
export type SandboxBtcpaySettings = {
  readonly store: string
  readonly key: string
  readonly webhookSecret: string
  readonly callbackUrl: string
}

export type BtcpayApi = {
  settings: SandboxBtcpaySettings
  payments: Payments
  payUrl: (id: string) => string
  shops: readonly string[] | null
  /** Enqueues the callback about a payment. */
  sendCallback: (payment: SandboxPayment) => void
  now: () => Instant
}

type Handler = (api: BtcpayApi, exchange: Exchange) => SandboxResponse | Promise<SandboxResponse>

/** Authorizes a request: 401 for a wrong API key, 403 for another store. Some URLs name no store. */
export function inStore(
  api: BtcpayApi,
  handler: Handler,
): (exchange: Exchange) => SandboxResponse | Promise<SandboxResponse> {
  return (exchange) => {
    const { authorization } = exchange.request.headers
    if (authorization !== `token ${api.settings.key}`)
      return problem(401, "unauthenticated", "Authentication is required.")
    const { store } = exchange.params
    if (store !== undefined && store !== api.settings.store) {
      return problem(403, "missing-permission", "Insufficient API Permissions.")
    }
    return handler(api, exchange)
  }
}

/** `POST …/invoices`: creates a new invoice each time, because BTCPay has no idempotency key. */
export async function createInvoice(api: BtcpayApi, { request }: Exchange): Promise<SandboxResponse> {
  const parsed = CreateInvoiceRequest.safeParse(requestJson(await bodyOf(request)))
  if (!parsed.success) return invalid(parsed.error.issues)
  const { redirectURL } = parsed.data.checkout
  if (redirectURL && api.shops && !api.shops.includes(new URL(redirectURL).origin)) {
    return invalid([{ path: ["checkout", "redirectURL"], message: "origin is not allowed" }])
  }
  const details = invoiceDetails(parsed.data, api.settings.callbackUrl, api.now())
  const requested = JSON.stringify(parsed.data)
  const named = { id: newInvoiceName(), key: randomUUID() }
  const opened = api.payments.open({ protocol: "btcpay", ...named, rawBody: requested, details })
  return opened.kind === "conflict" ? invalid([]) : json(200, shown(api, opened.payment))
}

/** `GET …/invoices`: newest first, at most 50; `orderId` and `status` select invoices, `skip` and `take` a page. */
export function listInvoices(api: BtcpayApi, { request }: Exchange): SandboxResponse {
  const query = new URL(request.url ?? "/", "http://sandbox").searchParams
  const [orderIds, statuses] = [query.getAll("orderId"), query.getAll("status")]
  const ofOrders = orderIds.flatMap((orderId) => api.payments.withReference("btcpay", orderId)).toReversed()
  const found = (orderIds.length === 0 ? api.payments.list("btcpay") : ofOrders)
    .map((payment) => shown(api, payment))
    .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
  const skip = Number(query.get("skip") ?? 0)
  return json(200, found.slice(skip, skip + Number(query.get("take") ?? 50)))
}

/** `GET …/invoices/{id}`. */
export function showInvoice(api: BtcpayApi, exchange: Exchange): SandboxResponse {
  const payment = invoiceOf(api, exchange)
  return payment ? json(200, shown(api, payment)) : notFound
}

/** `GET …/invoices/{id}/payment-methods`. */
export function showInvoiceMethods(api: BtcpayApi, exchange: Exchange): SandboxResponse {
  const payment = invoiceOf(api, exchange)
  return payment ? json(200, methodsJson(payment)) : notFound
}

/** `GET …/payment-methods`. */
export function showStoreMethods(): SandboxResponse {
  return json(
    200,
    methodNames.map((paymentMethodId) => ({ paymentMethodId, enabled: true, config: null })),
  )
}

const Mark = z.object({ status: z.enum(["Settled", "Invalid"]) })

/**
 * `POST …/invoices/{id}/status`: marks an undecided invoice as settled or, if nothing has been paid, as invalid; 422 for
 * any other.
 */
export async function markInvoice(api: BtcpayApi, exchange: Exchange): Promise<SandboxResponse> {
  const mark = Mark.safeParse(requestJson(await bodyOf(exchange.request)))
  if (!mark.success) return invalid(mark.error.issues)
  const payment = invoiceOf(api, exchange)
  if (!payment) return notFound
  const marked = mark.data.status === "Settled" ? settled(api, payment) : closed(api, payment)
  if (marked) return json(200, shown(api, marked))
  return invalid([{ path: ["status"], message: "can only be marked within certain conditions" }])
}

/** As BTCPay limits the names of pull payments. */
const MAX_NAME = 50

const RefundRequest = z.object({
  name: z.string().max(MAX_NAME).nullish(),
  description: z.string().nullish(),
  refundVariant: z.literal("Custom"),
  customAmount: z.string().regex(/^\d{1,9}(\.\d{1,2})?$/),
  customCurrency: z.enum(currencies),
})

/** `POST …/invoices/{id}/refund`: creates a pull payment each time, because BTCPay has no idempotency key. */
export async function refundInvoice(api: BtcpayApi, exchange: Exchange): Promise<SandboxResponse> {
  const asked = RefundRequest.safeParse(requestJson(await bodyOf(exchange.request)))
  if (!asked.success) return invalid(asked.error.issues)
  const payment = invoiceOf(api, exchange)
  if (!payment) return notFound
  if (payment.received.minor === 0) return problem(400, "non-refundable", "Cannot refund this invoice")
  const { name, customAmount, customCurrency } = asked.data
  const refund = {
    key: randomUUID(),
    text: name ?? `Refund ${payment.id}`,
    minor: fromDecimal(customAmount, customCurrency).minor,
  }
  return json(200, pullPaymentJson(api, api.payments.noteRefund(payment, refund), refund))
}

/** `GET …/pull-payments`. */
export function listPullPayments(api: BtcpayApi): SandboxResponse {
  const all = api.payments.list("btcpay")
  return json(
    200,
    all.flatMap((payment) => (payment.details.refunds ?? []).map((it) => pullPaymentJson(api, payment, it))),
  )
}

function pullPaymentJson({ payUrl }: BtcpayApi, { id, received }: SandboxPayment, refund: ApiRefund) {
  const amount = toDecimal(money(refund.minor, received.currency))
  const viewLink = new URL(`/btcpay/pull-payments/${refund.key}`, payUrl(id)).href
  const sum = { amount, currency: received.currency }
  return { id: refund.key, name: refund.text, description: "", ...sum, archived: false, viewLink }
}

/** The page on which a buyer claims a refund: nobody is paid in the sandbox. */
export function showPullPayment({ payments }: BtcpayApi, { params }: Exchange): SandboxResponse {
  const isKnown = payments
    .list("btcpay")
    .some(({ details }) => details.refunds?.some(({ key }) => key === params.id))
  if (!isKnown) return notFound
  return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: "Claim your refund." }
}

function settled(api: BtcpayApi, { id, status, received }: SandboxPayment): SandboxPayment | null {
  const marked =
    status === "partial"
      ? api.payments.topUp(id, "marked", { before: received, received })
      : api.payments.decide(id, { from: "pending", status: "marked", received })
  if (marked) api.sendCallback(marked)
  return marked
}

function closed(api: BtcpayApi, { id, details }: SandboxPayment): SandboxPayment | null {
  const received = money(0, details.amount.currency)
  return api.payments.decide(id, { from: "pending", status: "closed", received })
}

function invoiceOf({ payments }: BtcpayApi, { params }: Exchange): SandboxPayment | null {
  return payments.find("btcpay", params.id ?? "")
}

function shown({ settings, payUrl, now }: BtcpayApi, payment: SandboxPayment) {
  return invoiceJson(payment, settings.store, payUrl(payment.id), now())
}

const notFound = problem(404, "invoice-not-found", "The invoice was not found")

function problem(status: number, code: string, message: string): SandboxResponse {
  return json(status, { code, message })
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string }

/** 422 response with the invalid members of a request, in BTCPay's format. */
function invalid(issues: readonly Issue[]): SandboxResponse {
  return json(
    422,
    issues.map(({ path, message }) => ({ path: path.map(String).join("."), message })),
  )
}
