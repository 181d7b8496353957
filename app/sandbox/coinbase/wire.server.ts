import { createHash, randomBytes } from "node:crypto"
import { z } from "zod"
import { DAY, type Instant, SECOND } from "~/domain/calendar"
import { fromDecimal, type Money, minus, money, share, toDecimal } from "~/domain/money/money"
import { hmacSha256 } from "~/security/signature.server"
import type { CallbackMessage } from "../callback-queue.server"
import { type ApiRefund, type PaymentDetails, type SandboxPayment, statusAt } from "../payment"
import { newName } from "../payments.server"

const HttpUrl = z.url({ protocol: /^https?$/ }).max(2_048)

const MAX_AMOUNT = 100_000_000

/**
 * Request that creates a checkout (docs/gateways.md, Coinbase); amount and currency are required. The sandbox also
 * allows http redirect URLs.
 */
export const CreateCheckoutRequest = z.object({
  amount: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,2})?$/)
    .refine((text) => Number(text) >= 0.01, "must be at least 0.01")
    .refine((text) => Number(text) <= MAX_AMOUNT, "must be at most 100000000"),
  currency: z.enum(["USD", "EUR", "GBP"]),
  network: z.literal("base").default("base"),
  description: z.string().max(500).default(""),
  metadata: z
    .record(z.string(), z.string().max(100))
    .refine((metadata) => Object.keys(metadata).length <= 20, "has more than 20 keys")
    .default({}),
  successRedirectUrl: HttpUrl.optional(),
  failRedirectUrl: HttpUrl.optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
})
export type CreateCheckoutRequest = z.output<typeof CreateCheckoutRequest>

/** Query of the list of checkouts. */
export const ListQuery = z.object({
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
  /** Position in the list, as the sandbox's tokens are. */
  pageToken: z.coerce.number().int().min(0).default(0),
  status: z.string().optional(),
  startTime: z.iso.datetime({ offset: true }).optional(),
  endTime: z.iso.datetime({ offset: true }).optional(),
  descriptionQuery: z.string().default(""),
})

/** Request that refunds a checkout. In the sandbox one USDC is worth one unit of every currency. */
export const RefundRequest = z.object({
  amount: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,2})?$/)
    .refine((text) => Number(text) > 0, "must be greater than zero"),
  currency: z.enum(["USDC", "USD", "EUR", "GBP"]),
  reason: z.string().max(500).optional(),
})

/** Creates a checkout id: 24 hexadecimal digits, as at Coinbase, not guessable. */
export function newCheckoutId(): string {
  return randomBytes(12).toString("hex")
}

type Opening = { callbackUrl: string; payUrl: string; now: Instant }

/** Without redirect URLs the buyer stays at the checkout; without an expiry it is valid for a day. */
export function checkoutDetails(
  request: CreateCheckoutRequest,
  { callbackUrl, payUrl, now }: Opening,
): PaymentDetails {
  return {
    amount: fromDecimal(request.amount, request.currency),
    reference: request.metadata.attempt ?? request.description,
    returnUrl: request.successRedirectUrl ?? payUrl,
    cancelUrl: request.failRedirectUrl ?? payUrl,
    callbackUrl,
    expiresAt: request.expiresAt === undefined ? now + DAY : Date.parse(request.expiresAt),
    locale: null,
    metadata: request.metadata,
    description: request.description,
    openedAt: now,
  }
}

const wireStatus = {
  pending: "ACTIVE",
  processing: "PROCESSING",
  // Unreachable: a checkout accepts only the exact amount.
  partial: "ACTIVE",
  paid: "COMPLETED",
  late: "COMPLETED",
  // Unreachable: only BTCPay invoices are marked.
  marked: "COMPLETED",
  failed: "FAILED",
  expired: "EXPIRED",
  closed: "DEACTIVATED",
} as const

/** In the sandbox one USDC is worth one unit of every currency. */
const EXCHANGE_RATE = "1.00"
/** The provider's fee in basis points. */
const FEE = 100

/**
 * Serializes a checkout in Coinbase's format: priced in fiat, settled in USDC. The address has the format of no network,
 * so that no wallet accepts it.
 */
export function checkoutJson(payment: SandboxPayment, url: string, now: Instant) {
  const { id, details, transactionId } = payment
  const amount = toDecimal(details.amount)
  return {
    id,
    url,
    amount,
    currency: "USDC",
    network: "base",
    address: `test-base-${id}`,
    fiatAmount: amount,
    fiatCurrency: details.amount.currency,
    exchangeRate: EXCHANGE_RATE,
    status: refundedStatus(payment) ?? wireStatus[statusAt(payment, now)],
    description: details.description ?? "",
    metadata: details.metadata ?? {},
    // `JSON.stringify` omits members that are undefined.
    successRedirectUrl: details.returnUrl === url ? undefined : details.returnUrl,
    failRedirectUrl: details.cancelUrl === url ? undefined : details.cancelUrl,
    expiresAt: new Date(details.expiresAt).toISOString(),
    createdAt: new Date(details.openedAt ?? now).toISOString(),
    updatedAt: new Date(now).toISOString(),
    ...(transactionId &&
      payment.status !== "processing" && {
        settlement: settlementOf(details.amount),
        transactionHash: hashOf(transactionId),
      }),
    ...(payment.refunded.minor > 0 && refundsOf(payment)),
  }
}

function refundedStatus({ received, refunded }: SandboxPayment) {
  if (refunded.minor === 0) return null
  return refunded.minor === received.minor ? "REFUNDED" : "PARTIALLY_REFUNDED"
}

/** Refunds in USDC, at the sandbox's rate of 1: those of the API with their reasons, and one of what a tester has refunded. */
function refundsOf({ refunded, details }: SandboxPayment) {
  const asked = details.refunds ?? []
  const others = refunded.minor - asked.reduce((sum, { minor }) => sum + minor, 0)
  const refundOf = ({ minor, text }: Pick<ApiRefund, "minor" | "text">, index: number) => {
    const amount = toDecimal(money(minor, refunded.currency))
    const sums = { amount, currency: "USDC", fiatAmount: amount, fiatCurrency: refunded.currency }
    return { id: `refund-${index}`, status: "COMPLETED", reason: text, ...sums }
  }
  const all = [...asked, ...(others > 0 ? [{ minor: others, text: "" }] : [])]
  return { refundedAmount: toDecimal(refunded), refunds: all.map(refundOf) }
}

function settlementOf(total: Money) {
  const fee = share(total, FEE)
  const [totalAmount, feeAmount, netAmount] = [total, fee, minus(total, fee)].map(toDecimal)
  return { totalAmount, feeAmount, netAmount, currency: "USDC" }
}

/** A fake transaction hash in the format of a blockchain. */
function hashOf(transactionId: string): string {
  return `0x${createHash("sha256").update(transactionId).digest("hex")}`
}

/** Event types by status; null where Coinbase sends no callback. */
const eventTypes = {
  pending: null,
  processing: null,
  partial: null,
  paid: "checkout.payment.success",
  late: "checkout.payment.success",
  marked: "checkout.payment.success",
  failed: "checkout.payment.failed",
  expired: "checkout.payment.expired",
  closed: null,
} as const

/** Builds the callback about a checkout: the members of the checkout plus `eventType`. */
export function coinbaseReport(payment: SandboxPayment, url: string, now: Instant): CallbackMessage | null {
  const isRefund = payment.refunded.minor > 0
  const eventType = isRefund ? "checkout.refund.success" : eventTypes[statusAt(payment, now)]
  if (eventType === null) return null
  const body = JSON.stringify({ eventType, ...checkoutJson(payment, url, now) })
  return { messageId: newName("msg"), protocol: payment.protocol, url: payment.details.callbackUrl, body }
}

/** Signs like Hook0: `v0` over timestamp and body, `v1` also over two headers. */
export function coinbaseSigner(secret: string) {
  const code = (text: string) => hmacSha256(secret, text).toString("hex")
  return ({ messageId, body }: CallbackMessage, at: Instant): Record<string, string> => {
    const t = String(Math.floor(at / SECOND))
    const h = "x-event-id content-type"
    const v1 = code(`${t}.${h}.${messageId}.application/json.${body}`)
    const signature = `t=${t},v0=${code(`${t}.${body}`)},h=${h},v1=${v1}`
    return { "x-event-id": messageId, "x-hook0-signature": signature }
  }
}
