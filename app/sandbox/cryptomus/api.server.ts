import { randomBytes, randomUUID } from "node:crypto"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money"
import { bodyOf, type Exchange, json, type SandboxResponse } from "../http.server"
import type { SandboxPayment } from "../payment"
import type { Payments } from "../payments.server"
import { type CryptomusCoin, coinCalled, servicesJson } from "./coins"
import { CreateInvoiceRequest, invoiceFacts, invoiceJson, md5Of } from "./wire.server"

/** What the shop has there: its name, and the key that signs both ways. */
export type CryptomusAccount = { readonly merchant: string; readonly paymentKey: string }

export type CryptomusApi = {
  account: CryptomusAccount
  payments: Payments
  payUrl: (id: string) => string
  shops: readonly string[] | null
  /** Tells the shop of a payment. */
  tell: (payment: SandboxPayment) => void
  now: () => Instant
}

/** `POST /v1/payment`: an order's name that was used before is the same invoice, whatever else is asked now. */
export function createInvoice(api: CryptomusApi, said: unknown): SandboxResponse {
  const wish = CreateInvoiceRequest.safeParse(said)
  if (!wish.success) return invalid(wish.error)
  if (!isKnownShop(api, wish.data)) return refused("These addresses are not a shop of ours")
  const coin = coinFor(wish.data)
  if (coin === "unknown") return refused("The service was not found")
  const opened = api.payments.open({
    ...{ protocol: "cryptomus", id: randomUUID(), key: wish.data.order_id, asked: wish.data.order_id },
    facts: invoiceFacts(wish.data, coin, api.now()),
  })
  return opened.kind === "conflict" ? refused("The order is another's") : success(shown(api, opened.payment))
}

const Which = z.object({ uuid: z.string() })

/** `POST /v1/payment/info`, by the invoice's own name. */
export function showInvoice(api: CryptomusApi, said: unknown): SandboxResponse {
  const which = Which.safeParse(said)
  if (!which.success) return invalid(which.error)
  const payment = api.payments.find("cryptomus", which.data.uuid)
  return payment ? success(shown(api, payment)) : refused("Payment not found")
}

/** `POST /v1/payment/resend`: tells again of an invoice that is decided, and of no other. */
export function resendNotice(api: CryptomusApi, said: unknown): SandboxResponse {
  const which = Which.safeParse(said)
  if (!which.success) return invalid(which.error)
  const payment = api.payments.find("cryptomus", which.data.uuid)
  const isShort = payment?.status === "partial" && api.now() > payment.facts.expiresAt
  if (!payment || (payment.status !== "paid" && !isShort)) return refused("Notification not found")
  api.tell(payment)
  return success([])
}

const Trial = z.object({ url_callback: z.url(), currency: z.string(), network: z.string() })

/** `POST /v1/test-webhook/payment`: a notice of an order that nobody has made, signed like a real one. */
export function sendTrial({ shops, now, tell }: CryptomusApi, said: unknown): SandboxResponse {
  const wish = Trial.safeParse(said)
  if (!wish.success) return invalid(wish.error)
  const { url_callback: callbackUrl, currency, network } = wish.data
  if (shops && !shops.includes(new URL(callbackUrl).origin))
    return refused("This address is not a shop of ours")
  const amount = money(1_000, "EUR")
  tell({
    ...{
      id: randomUUID(),
      protocol: "cryptomus",
      status: "paid",
      received: amount,
      refunded: money(0, "EUR"),
    },
    transactionId: "trial",
    facts: {
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
  answer: (said: unknown) => SandboxResponse,
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

function isKnownShop({ shops }: CryptomusApi, wish: CreateInvoiceRequest): boolean {
  const targets = [wish.url_return, wish.url_success, wish.url_callback]
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
