import { createHash } from "node:crypto"
import { z } from "zod"
import { HOUR, type Instant, SECOND } from "~/domain/calendar"
import { currencies, fromDecimal, type Money, toDecimal } from "~/domain/money/money"
import type { CallbackMessage } from "../callback-queue.server"
import { type PaymentDetails, type SandboxPayment, statusAt } from "../payment"
import { newName } from "../payments.server"
import { addressOf, type CryptomusCoin, coinCalled, coinDecimal } from "./coins"

const ShopUrl = z
  .url({ protocol: /^https?$/ })
  .min(6)
  .max(255)

/** In seconds; clients send a number or its text. */
const Lifetime = z
  .union([z.int(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.int().min(300).max(43_200))

/** Request that creates an invoice (docs/gateways.md, Cryptomus). The last four members have no effect. */
export const CreateInvoiceRequest = z.object({
  amount: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,2})?$/)
    .refine((text) => Number(text) > 0),
  currency: z.enum(currencies),
  order_id: z.string().regex(/^[\w-]{1,128}$/),
  network: z.string().optional(),
  to_currency: z.string().optional(),
  url_return: ShopUrl.optional(),
  url_success: ShopUrl.optional(),
  url_callback: ShopUrl.optional(),
  lifetime: Lifetime.default(3_600),
  additional_data: z.string().max(255).nullable().default(null),
  is_payment_multiple: z.boolean().default(true),
  subtract: z.number().min(0).max(100).optional(),
  accuracy_payment_percent: z.number().min(0).max(5).optional(),
  discount_percent: z.number().min(-99).max(100).optional(),
})
export type CreateInvoiceRequest = z.output<typeof CreateInvoiceRequest>

type Opening = { coin: CryptomusCoin | null; payUrl: string; now: Instant }

/** Without a return URL the buyer stays at the invoice; without a callback URL nothing is reported. */
export function invoiceDetails(
  request: CreateInvoiceRequest,
  { coin, payUrl, now }: Opening,
): PaymentDetails {
  const { url_success: successUrl, url_return: cancelUrl } = request
  return {
    amount: fromDecimal(request.amount, request.currency),
    reference: request.order_id,
    returnUrl: successUrl ?? cancelUrl ?? payUrl,
    cancelUrl: cancelUrl ?? payUrl,
    callbackUrl: request.url_callback ?? "",
    expiresAt: now + request.lifetime * SECOND,
    locale: null,
    ...(coin && { metadata: { currency: coin.currency, network: coin.network } }),
    description: request.additional_data ?? undefined,
    openedAt: now,
  }
}

const wireStatus = {
  pending: "check",
  processing: "confirm_check",
  partial: "wrong_amount_waiting",
  paid: "paid",
  late: "paid",
  // Unreachable: only BTCPay invoices are marked.
  marked: "paid",
  failed: "fail",
  expired: "cancel",
  closed: "cancel",
} as const

/** Divisor for the provider's fee: 1/50 = 2 %. */
const FEE = 50n
/** Coin of a payment for which the buyer has chosen none. */
const USUAL = { currency: "USDT", network: "TRON" }

/** Serializes an invoice in Cryptomus's format. The sandbox converts every currency to dollars at a rate of 1. */
export function invoiceJson(payment: SandboxPayment, url: string, now: Instant) {
  const { details } = payment
  const coin = coinOf(payment)
  const body = { ...stateOf(payment, wireStatusFor(payment, now)), ...sentFor(payment) }
  return {
    ...body,
    amount: toDecimal(details.amount),
    discount_percent: null,
    discount: "0.00000000",
    address: coin && addressOf(coin, payment.id),
    payment_status: body.status,
    url,
    expired_at: Math.floor(details.expiresAt / SECOND),
    created_at: moscowTime(details.openedAt ?? now),
    updated_at: moscowTime(now),
  }
}

/** Statuses of an invoice (docs/gateways.md, Cryptomus). */
export const invoiceStatuses = [
  "check",
  "process",
  "confirm_check",
  "wrong_amount_waiting",
  "locked",
  "paid",
  "paid_over",
  "wrong_amount",
  "cancel",
  "fail",
  "system_fail",
  "refund_process",
  "refund_fail",
  "refund_paid",
] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** `testStatus`: status of a test webhook, whatever the invoice's. */
type Report = { now: Instant; testStatus?: InvoiceStatus | undefined }

/**
 * Builds the callback about an invoice whose status has changed: PHP-style JSON with `sign` as the last member. Null: the
 * shop has named no URL for it.
 */
export function cryptomusReport(
  payment: SandboxPayment,
  paymentKey: string,
  { now, testStatus }: Report,
): CallbackMessage | null {
  if (payment.details.callbackUrl === "") return null
  const { currency, minor } = payment.details.amount
  const { txid, payer_amount, ...sent } = sentFor(payment)
  // Callbacks about an underpaid invoice may omit `payer_amount`; the invoice itself has it.
  const requested = payment.status === "partial" ? {} : { payer_amount }
  const notice = {
    type: "payment",
    ...stateOf(payment, testStatus ?? wireStatusFor(payment, now)),
    ...sent,
    ...requested,
    amount: eightPlaces({ minor, currency }),
    wallet_address_uuid: null,
    transfer_id: null,
    ...(txid && { txid }),
  }
  const signed = phpText(notice)
  const body = phpText({ ...notice, sign: md5Of(signed, paymentKey) })
  return { messageId: newName("msg"), protocol: payment.protocol, url: payment.details.callbackUrl, body }
}

/** Signature of requests and callbacks: MD5 of the base64 text plus the payment key. */
export function md5Of(text: string, paymentKey: string): string {
  return createHash("md5")
    .update(`${Buffer.from(text).toString("base64")}${paymentKey}`)
    .digest("hex")
}

function stateOf({ id: uuid, details }: SandboxPayment, status: InvoiceStatus) {
  return {
    uuid,
    order_id: details.reference,
    currency: details.amount.currency,
    status,
    is_final: !open.includes(status),
    additional_data: details.description ?? null,
  }
}

/** Statuses of an invoice that is not final yet. */
const open: readonly InvoiceStatus[] = [
  "check",
  "process",
  "confirm_check",
  "wrong_amount_waiting",
  "locked",
  "refund_process",
]

/** An underpaid invoice waits for the rest until it expires, and is final afterwards. */
function wireStatusFor(payment: SandboxPayment, now: Instant): InvoiceStatus {
  const { amount, expiresAt } = payment.details
  if (payment.refunded.minor > 0) return "refund_paid"
  if (payment.received.minor > amount.minor) return "paid_over"
  const isShort = payment.status === "partial" && now > expiresAt
  return isShort ? "wrong_amount" : wireStatus[statusAt(payment, now)]
}

/** Coin members before a coin is chosen. */
const nothingSent = {
  payer_currency: null,
  network: null,
  payer_amount: null,
  payment_amount: null,
  payment_amount_usd: null,
  merchant_amount: null,
  commission: null,
  from: null,
  txid: null,
}

/** Coin members: the requested amount and, after a payment, the received amount. */
function sentFor(payment: SandboxPayment) {
  const { details, transactionId } = payment
  const coin = coinOf(payment)
  if (!coin) return nothingSent
  const requested = BigInt(details.amount.minor) * coin.perCent
  const { currency: payer_currency, network } = coin
  const chosen = { payer_currency, network: network.toLowerCase(), payer_amount: coinDecimal(requested) }
  return {
    ...nothingSent,
    ...chosen,
    ...(transactionId &&
      paidBy(transactionId, BigInt(payment.received.minor) * coin.perCent, payment.received)),
  }
}

function paidBy(transactionId: string, sent: bigint, price: Money) {
  const fee = sent / FEE
  return {
    payment_amount: coinDecimal(sent),
    payment_amount_usd: toDecimal(price),
    merchant_amount: coinDecimal(sent - fee),
    commission: coinDecimal(fee),
    txid: createHash("sha256").update(transactionId).digest("hex"),
  }
}

/** The coin chosen when the invoice was created; else the default coin once it is paid; null before. */
function coinOf({ details, transactionId }: SandboxPayment): CryptomusCoin | null {
  const { currency, network } = details.metadata ?? {}
  if (currency && network) return coinCalled({ currency, network })
  return transactionId ? coinCalled(USUAL) : null
}

function eightPlaces(amount: Money): string {
  return `${toDecimal(amount)}000000`
}

/** Serializes JSON like PHP. The sandbox's values differ from PHP's output only in escaped slashes. */
function phpText(value: unknown): string {
  return JSON.stringify(value).replaceAll("/", "\\/")
}

function moscowTime(instant: Instant): string {
  return new Date(instant + 3 * HOUR).toISOString().replace(/\.\d+Z$/, "+03:00")
}
