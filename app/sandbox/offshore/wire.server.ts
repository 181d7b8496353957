import { Webhook } from "standardwebhooks"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import { currencies, fromDecimal, money, toDecimal } from "~/domain/money/money"
import type { CallbackMessage } from "../callback-queue.server"
import { type PaymentDetails, type SandboxPayment, statusAt } from "../payment"
import { newName } from "../payments.server"

export const HttpUrl = z.url({ protocol: /^https?$/ }).max(2_000)
export const Amount = z
  .string()
  .regex(/^\d{1,9}\.\d{2}$/, "must have two decimals")
  .refine((text) => Number(text) > 0, "must be greater than zero")

/** Request of `POST /payments`. */
export const CreateOffshoreRequest = z.object({
  amount: Amount,
  currency: z.enum(currencies),
  reference: z.string().min(1).max(200),
  return_url: HttpUrl,
  cancel_url: HttpUrl,
  callback_url: HttpUrl,
  expires_at: z.iso.datetime({ offset: true }),
  metadata: z.record(z.string(), z.string()).default({}),
})
export type CreateOffshoreRequest = z.output<typeof CreateOffshoreRequest>

export function toPaymentDetails(request: CreateOffshoreRequest): PaymentDetails {
  return {
    amount: fromDecimal(request.amount, request.currency),
    reference: request.reference,
    returnUrl: request.return_url,
    cancelUrl: request.cancel_url,
    callbackUrl: request.callback_url,
    expiresAt: Date.parse(request.expires_at),
    locale: request.metadata.locale ?? null,
  }
}

/** Response of `POST /payments`. */
export function openedJson(payment: SandboxPayment, payUrl: string, now: Instant) {
  const { id, details } = payment
  const expires_at = new Date(details.expiresAt).toISOString()
  return { id, url: payUrl, status: wireStatus(payment, now), expires_at }
}

/** Serializes a payment for `GET /payments/{id}` and for callbacks. */
export function paymentJson(payment: SandboxPayment, now: Instant) {
  const { id, details, status, received, refunded, transactionId } = payment
  return {
    id,
    status: wireStatus(payment, now),
    amount: toDecimal(details.amount),
    // An unconfirmed amount has not been paid yet.
    amount_paid: toDecimal(status === "processing" ? money(0, received.currency) : received),
    amount_refunded: toDecimal(refunded),
    currency: details.amount.currency,
    reference: details.reference,
    transaction_id: transactionId,
  }
}

function wireStatus(payment: SandboxPayment, now: Instant) {
  if (payment.refunded.minor > 0 && payment.refunded.minor === payment.received.minor) return "refunded"
  const status = statusAt(payment, now)
  if (status === "partial") return "partially_paid"
  // The contract has no status between pending and paid, and a late payment is paid.
  if (status === "processing") return "pending"
  if (status === "late" || status === "marked") return "paid"
  return status === "paid" && payment.received.minor > payment.details.amount.minor ? "overpaid" : status
}

/** Builds the callback about a payment whose status has changed. */
export function offshoreReport(payment: SandboxPayment, now: Instant): CallbackMessage {
  const timestamp = new Date(now).toISOString()
  const body = JSON.stringify({ type: "payment.updated", timestamp, data: paymentJson(payment, now) })
  return { messageId: newName("msg"), protocol: payment.protocol, url: payment.details.callbackUrl, body }
}

/** Signs callbacks by Standard Webhooks. Throws when the secret is malformed. */
export function offshoreSigner(secret: string) {
  const webhook = new Webhook(secret)
  return ({ messageId, body }: CallbackMessage, at: Instant): Record<string, string> => ({
    "webhook-id": messageId,
    "webhook-timestamp": String(Math.floor(at / 1_000)),
    "webhook-signature": webhook.sign(messageId, new Date(at), body),
  })
}
