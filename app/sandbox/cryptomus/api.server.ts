import { randomBytes, randomUUID } from "node:crypto"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money"
import { bodyOf, type Exchange, json, type SandboxResponse } from "../http.server"
import type { SandboxPayment } from "../payment"
import type { Payments } from "../payments.server"
import { type CryptomusCoin, coinCalled, servicesJson } from "./coins"
import { CreateInvoiceRequest, invoiceDetails, invoiceJson, md5Of } from "./wire.server"

/** What the shop has there: its name, and the key that signs both ways. */
export type CryptomusAccount = { readonly merchant: string; readonly paymentKey: string }

export type CryptomusApi = {
  account: CryptomusAccount
  payments: Payments
  payUrl: (id: string) => string
  shops: readonly string[] | null
  /** Tells the shop of a payment. */
  sendCallback: (payment: SandboxPayment) => void
  now: () => Instant
}

/** `POST /v1/payment`: an order's name that was used before is the same invoice, whatever else is asked now. */
export function createInvoice(api: CryptomusApi, params: unknown): SandboxResponse {
  const parsed = CreateInvoiceRequest.safeParse(params)
  if (!parsed.success) return invalid(parsed.error)
  if (!isKnownShop(api, parsed.data)) return refused("These addresses are not a shop of ours")
  const coin = coinFor(parsed.data)
  if (coin === "unknown") return refused("The service was not found")
  const opened = api.payments.open({
    ...{ protocol: "cryptomus", id: randomUUID(), key: parsed.data.order_id, rawBody: parsed.data.order_id },
    details: invoiceDetails(parsed.data, coin, api.now()),
  })
  return opened.kind === "conflict" ? refused("The order is another's") : success(shown(api, opened.payment))
}

const Which = z.object({ uuid: z.string() })

/** `POST /v1/payment/info`, by the invoice's own name. */
export function showInvoice(api: CryptomusApi, params: unknown): SandboxResponse {
  const which = Which.safeParse(params)
  if (!which.success) return invalid(which.error)
  const payment = api.payments.find("cryptomus", which.data.uuid)
  return payment ? success(shown(api, payment)) : refused("Payment not found")
}

/** `POST /v1/payment/resend`: tells again of an invoice that is decided, and of no other. */
export function resendCallback(api: CryptomusApi, params: unknown): SandboxResponse {
  const which = Which.safeParse(params)
  if (!which.success) return invalid(which.error)
  const payment = api.payments.find("cryptomus", which.data.uuid)
  const isShort = payment?.status === "partial" && api.now() > payment.details.expiresAt
  if (!payment || (payment.status !== "paid" && !isShort)) return refused("Notification not found")
  api.sendCallback(payment)
  return success([])
}

const Trial = z.object({ url_callback: z.url(), currency: z.string(), network: z.string() })

/** `POST /v1/test-webhook/payment`: a notice of an order that nobody has made, signed like a real one. */
export function sendTestCallback(
  { shops, now, sendCallback }: CryptomusApi,
  params: unknown,
): SandboxResponse {
  const parsed = Trial.safeParse(params)
  if (!parsed.success) return invalid(parsed.error)
  const { url_callback: callbackUrl, currency, network } = parsed.data
  if (shops && !shops.includes(new URL(callbackUrl).origin))
    return refused("This address is not a shop of ours")
  const amount = money(1_000, "EUR")
  sendCallback({
    ...{
      id: randomUUID(),
      protocol: "cryptomus",
      status: "paid",
      received: amount,
      refunded: money(0, "EUR"),
    },
    transactionId: "trial",
    details: {
      ...{ amount, reference: randomBytes(16).toString("hex"), callbackUrl, locale: null },
      ...{ returnUrl: callbackUrl, cancelUrl: callbackUrl, expiresAt: now(), openedAt: now() },
      metadata: { currency, network: network.toUpperCase() },
    },
  })
  return success([])
}

/** `POST /v1/payment/services`. */
export function listServices(): SandboxResponse {
  return success(servicesJson())
}

/** Answers what the shop has signed, over the bytes that came; everybody else is turned away. */
export async function signedBy(
  { merchant, paymentKey }: CryptomusAccount,
  { request }: Exchange,
  answer: (params: unknown) => SandboxResponse,
): Promise<SandboxResponse> {
  const text = (await bodyOf(request))?.toString("utf8")
  if (text === undefined) return refused("The body is too large")
  const isShop = request.headers.merchant === merchant && request.headers.sign === md5Of(text, paymentKey)
  return isShop ? answer(parseJson(text)) : json(401, { state: 1, message: "Invalid sign" })
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
  return !shops || targets.every((url) => shops.includes(new URL(url).origin))
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The schema says what is wrong with nothing.
    return undefined
  }
}
