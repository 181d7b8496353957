import { randomBytes } from "node:crypto"
import { z } from "zod"
import { type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { currencies, fromDecimal, toDecimal } from "~/domain/money/money"
import { hmacSha256 } from "~/security/signature.server"
import type { CallbackMessage } from "../callback-queue.server"
import { type PaymentDetails, type SandboxPayment, statusAt } from "../payment"
import { newName } from "../payments.server"
import { methodNames } from "./coins"

const Method = z.enum(methodNames)

const SpeedPolicy = z.enum(["HighSpeed", "MediumSpeed", "LowSpeed", "LowMediumSpeed"])

/**
 * Request that creates an invoice (docs/gateways.md, BTCPay); amount and currency are required. Top-up
 * invoices are not simulated, and `speedPolicy` has no effect, because no payment is confirmed by a chain.
 */
export const CreateInvoiceRequest = z.object({
  amount: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,2})?$/)
    .refine((text) => Number(text) > 0, "must be greater than zero"),
  currency: z.enum(currencies),
  metadata: z.record(z.string(), z.string().max(200)).default({}),
  checkout: z
    .strictObject({
      speedPolicy: SpeedPolicy.default("MediumSpeed"),
      expirationMinutes: z.int().min(1).default(15),
      monitoringMinutes: z.int().min(1).default(1_440),
      paymentTolerance: z.number().min(0).max(100).default(0),
      redirectURL: z
        .url({ protocol: /^https?$/ })
        .max(2_048)
        .nullish(),
      redirectAutomatically: z.boolean().default(false),
      defaultLanguage: z.string().nullish(),
      paymentMethods: z.array(Method).nonempty().nullish(),
      defaultPaymentMethod: Method.nullish(),
      lazyPaymentMethods: z.boolean().nullish(),
    })
    .prefault({}),
})
export type CreateInvoiceRequest = z.output<typeof CreateInvoiceRequest>

/** Creates an invoice id: 22 hexadecimal digits, as long as BTCPay's and not guessable. */
export function newInvoiceName(): string {
  return randomBytes(11).toString("hex")
}

/**
 * Converts a request to payment details. BTCPay has one redirect URL for both return and cancel; without one the buyer
 * returns to the shop's home page.
 */
export function invoiceDetails(
  request: CreateInvoiceRequest,
  callbackUrl: string,
  now: Instant,
): PaymentDetails {
  const { metadata, checkout } = request
  const returnUrl = checkout.redirectURL ?? new URL("/", callbackUrl).href
  return {
    amount: fromDecimal(request.amount, request.currency),
    reference: metadata.orderId ?? "",
    returnUrl,
    cancelUrl: returnUrl,
    callbackUrl,
    expiresAt: now + checkout.expirationMinutes * MINUTE,
    locale: checkout.defaultLanguage ?? null,
    metadata,
    methods: checkout.paymentMethods ?? methodNames,
    openedAt: now,
  }
}

const descriptions = {
  pending: ["New", "None"],
  processing: ["Processing", "None"],
  partial: ["New", "None"],
  paid: ["Settled", "None"],
  // An invoice that is paid after its expiry stays expired.
  late: ["Expired", "PaidLate"],
  marked: ["Settled", "Marked"],
  failed: ["Invalid", "None"],
  expired: ["Expired", "None"],
  closed: ["Invalid", "Marked"],
} as const

/** How long an invoice is monitored after its expiry, in milliseconds. */
const WATCHED = 7 * 24 * 60 * MINUTE

/** Serializes an invoice in BTCPay's format. */
export function invoiceJson(payment: SandboxPayment, store: string, link: string, now: Instant) {
  const { id, details } = payment
  const isShort = payment.status === "partial" && now > details.expiresAt
  const [status, usually] = isShort
    ? (["Expired", "PaidPartial"] as const)
    : descriptions[statusAt(payment, now)]
  const isExpired = payment.received.minor > details.amount.minor
  const additionalStatus = isExpired ? "PaidOver" : usually
  const createdTime = seconds(details.openedAt ?? now)
  const expirationTime = seconds(details.expiresAt)
  return {
    id,
    storeId: store,
    type: "Standard",
    currency: details.amount.currency,
    amount: toDecimal(details.amount),
    paidAmount: toDecimal(payment.received),
    checkoutLink: link,
    createdTime,
    expirationTime,
    monitoringExpiration: seconds(details.expiresAt + WATCHED),
    status,
    additionalStatus,
    archived: false,
    metadata: details.metadata ?? {},
    availableStatusesForManualMarking: status === "New" ? ["Settled", "Invalid"] : [],
    checkout: {
      expirationMinutes: Math.round((expirationTime - createdTime) / 60),
      paymentTolerance: 0,
      paymentMethods: details.methods,
      redirectURL: details.returnUrl,
      defaultLanguage: details.locale,
    },
  }
}

/** Event types and their members by status, for the callbacks about it (docs/gateways.md, BTCPay). */
function eventOf(payment: SandboxPayment, now: Instant) {
  const { status, received, details } = payment
  const isExpired = received.minor > details.amount.minor
  if (now > details.expiresAt && (status === "pending" || status === "partial")) {
    return { type: "InvoiceExpired", partiallyPaid: status === "partial" }
  }
  switch (status) {
    case "partial":
      return { type: "InvoicePaymentSettled", afterExpiration: false }
    case "late":
      return { type: "InvoicePaymentSettled", afterExpiration: true }
    case "marked":
      return { type: "InvoiceSettled", manuallyMarked: true, overPaid: false }
    case "processing":
      return { type: "InvoiceProcessing", overPaid: isExpired }
    case "paid":
      return { type: "InvoiceSettled", manuallyMarked: false, overPaid: isExpired }
    default:
      return { type: "InvoiceInvalid", manuallyMarked: status === "closed" }
  }
}

function seconds(instant: Instant): number {
  return Math.floor(instant / SECOND)
}

/** Builds the callback about an invoice whose status has changed; it contains the invoice id but no amounts. */
export function btcpayReport(payment: SandboxPayment, store: string, now: Instant): CallbackMessage {
  const messageId = newName("msg")
  const body = JSON.stringify({
    deliveryId: messageId,
    webhookId: "sandbox",
    originalDeliveryId: messageId,
    isRedelivery: false,
    ...eventOf(payment, now),
    timestamp: seconds(now),
    storeId: store,
    invoiceId: payment.id,
    metadata: payment.details.metadata ?? {},
  })
  return { messageId, protocol: payment.protocol, url: payment.details.callbackUrl, body }
}

/** Signs the body only: BTCPay's signature has no timestamp. */
export function btcpaySigner(secret: string) {
  return ({ body }: CallbackMessage): Record<string, string> => ({
    "btcpay-sig": `sha256=${hmacSha256(secret, body).toString("hex")}`,
  })
}
