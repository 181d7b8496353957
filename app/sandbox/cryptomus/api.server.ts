import { randomBytes, randomUUID } from "node:crypto"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { bodyOf, type Exchange, json, requestJson, type SandboxResponse } from "../http.server"
import type { SandboxPayment } from "../payment"
import type { Payments } from "../payments.server"
import { type CryptomusCoin, coinCalled, servicesJson } from "./coins"
import {
  CreateInvoiceRequest,
  type InvoiceStatus,
  invoiceDetails,
  invoiceJson,
  invoiceStatuses,
  md5Of,
} from "./wire.server"

/** The shop's merchant id, and the key that signs requests and callbacks. */
export type SandboxCryptomusSettings = { readonly merchant: string; readonly paymentKey: string }

export type CryptomusApi = {
  settings: SandboxCryptomusSettings
  payments: Payments
  payUrl: (id: string) => string
  shops: readonly string[] | null
  /** Enqueues the callback about a payment. `testStatus`: status of a test webhook. */
  sendCallback: (payment: SandboxPayment, testStatus?: InvoiceStatus) => void
  now: () => Instant
}

/**
 * `POST /v1/payment`: creates an invoice. A known `order_id` returns the existing invoice, whatever the other members.
 */
export function createInvoice(api: CryptomusApi, params: unknown): SandboxResponse {
  const parsed = CreateInvoiceRequest.safeParse(params)
  if (!parsed.success) return invalid(parsed.error)
  if (!isKnownShop(api, parsed.data)) return refused("URL origin is not allowed")
  const coin = coinFor(parsed.data)
  if (coin === "unknown") return refused("The service was not found")
  const id = randomUUID()
  const opened = api.payments.open({
    protocol: "cryptomus",
    id,
    key: parsed.data.order_id,
    rawBody: parsed.data.order_id,
    details: invoiceDetails(parsed.data, { coin, payUrl: api.payUrl(id), now: api.now() }),
  })
  return opened.kind === "conflict"
    ? refused("The order_id belongs to another invoice")
    : success(shown(api, opened.payment))
}

const Which = z
  .object({ uuid: z.string().optional(), order_id: z.string().optional() })
  .refine(({ uuid, order_id }) => uuid ?? order_id, { path: ["uuid"] })

/** Finds an invoice by its `order_id`, which takes precedence, or by its `uuid`. */
function find(
  { payments }: CryptomusApi,
  { uuid, order_id }: { uuid?: string | undefined; order_id?: string | undefined },
): SandboxPayment | null {
  if (order_id !== undefined) return payments.findByKey("cryptomus", order_id)
  return payments.find("cryptomus", uuid ?? "")
}

/** `POST /v1/payment/info`: an invoice by its `order_id` or `uuid`. */
export function showInvoice(api: CryptomusApi, params: unknown): SandboxResponse {
  const which = Which.safeParse(params)
  if (!which.success) return invalid(which.error)
  const payment = find(api, which.data)
  return payment ? success(shown(api, payment)) : refused("Payment not found")
}

/** `POST /v1/payment/resend`: sends the callback again if the invoice is paid, or expired underpaid. */
export function resendCallback(api: CryptomusApi, params: unknown): SandboxResponse {
  const which = Which.safeParse(params)
  if (!which.success) return invalid(which.error)
  const payment = find(api, which.data)
  const isPaid = payment?.status === "paid" || payment?.status === "late"
  const isShort = payment?.status === "partial" && api.now() > payment.details.expiresAt
  if (!payment || !(isPaid || isShort)) return refused("Notification not found")
  api.sendCallback(payment)
  return success([])
}

const RefundRequest = z.object({
  uuid: z.string(),
  address: z.string().min(1),
  is_subtract: z.union([z.boolean(), z.enum(["true", "false"])]),
})

/** `POST /v1/payment/refund`: pays back all that was received, once. */
export function refundInvoice(api: CryptomusApi, params: unknown): SandboxResponse {
  const asked = RefundRequest.safeParse(params)
  if (!asked.success) return invalid(asked.error)
  const payment = find(api, asked.data)
  if (!payment) return refused("Payment was not found")
  const { received, refunded } = payment
  const isRefundable = received.minor > 0 && refunded.minor === 0
  const done = isRefundable ? api.payments.refund(payment.id, received, refunded) : null
  if (!done) return refused("Payment cannot be refunded")
  api.sendCallback(done)
  return success([])
}

const TestWebhookRequest = z.object({
  url_callback: z.url(),
  currency: z.string(),
  network: z.string(),
  status: z.enum(invoiceStatuses),
  uuid: z.uuid().optional(),
  order_id: z
    .string()
    .regex(/^[\w-]{1,32}$/)
    .optional(),
})

/** `POST /v1/test-webhook/payment`: sends a signed callback; without ids it is about an invented order. */
export function sendTestCallback(
  { shops, now, sendCallback }: CryptomusApi,
  params: unknown,
): SandboxResponse {
  const parsed = TestWebhookRequest.safeParse(params)
  if (!parsed.success) return invalid(parsed.error)
  const { url_callback: callbackUrl, currency, network, status, uuid, order_id } = parsed.data
  if (shops && !shops.includes(new URL(callbackUrl).origin))
    return refused("url_callback origin is not allowed")
  const amount = money(1_000, "EUR")
  const invented: SandboxPayment = {
    id: uuid ?? randomUUID(),
    protocol: "cryptomus",
    status: "paid",
    received: amount,
    refunded: money(0, "EUR"),
    transactionId: "trial",
    details: {
      amount,
      reference: order_id ?? randomBytes(16).toString("hex"),
      returnUrl: callbackUrl,
      cancelUrl: callbackUrl,
      callbackUrl,
      locale: null,
      metadata: { currency, network: network.toUpperCase() },
      expiresAt: now(),
      openedAt: now(),
    },
  }
  sendCallback(invented, status)
  return success([])
}

/** `POST /v1/payment/services`. */
export function listServices(): SandboxResponse {
  return success(servicesJson())
}

/** Verifies merchant and signature over the received bytes, then handles the request; 401 if either is wrong. */
export async function signedBy(
  { merchant, paymentKey }: SandboxCryptomusSettings,
  { request }: Exchange,
  handle: (params: unknown) => SandboxResponse,
): Promise<SandboxResponse> {
  const text = (await bodyOf(request))?.toString("utf8")
  if (text === undefined) return refused("The body is too large")
  const isShop = request.headers.merchant === merchant && request.headers.sign === md5Of(text, paymentKey)
  return isShop ? handle(requestJson(text)) : json(401, { state: 1, message: "Invalid sign" })
}

function shown({ payUrl, now }: CryptomusApi, payment: SandboxPayment) {
  return invoiceJson(payment, payUrl(payment.id), now())
}

function coinFor({ to_currency: currency, network }: CreateInvoiceRequest): CryptomusCoin | null | "unknown" {
  if (!currency && !network) return null
  return (currency && network && coinCalled({ currency, network })) || "unknown"
}

function isKnownShop({ shops }: CryptomusApi, request: CreateInvoiceRequest): boolean {
  const targets = [request.url_return, request.url_success, request.url_callback]
  return !shops || targets.every((url) => url === undefined || shops.includes(new URL(url).origin))
}

function success(result: unknown): SandboxResponse {
  return json(200, { state: 0, result })
}

function refused(message: string): SandboxResponse {
  return json(422, { state: 1, message })
}

function invalid(error: z.ZodError): SandboxResponse {
  const fields = error.issues.map(({ path, code }) => [path.join("."), [`validation.${code}`]])
  return json(422, { state: 1, errors: Object.fromEntries(fields) })
}
