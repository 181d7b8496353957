import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"

/**
 * `processing`: the payment is seen, and not confirmed until the tester says so. `late`: it was paid in full after it had
 * expired. `marked`: the shop's operator settled it without a payment.
 */
export const sandboxStatuses = [
  "pending",
  "processing",
  "partial",
  "paid",
  "late",
  "marked",
  "failed",
  "closed",
] as const
export type SandboxStatus = (typeof sandboxStatuses)[number]

/** A shop's payment request, independent of the protocol. */
export type PaymentDetails = {
  readonly amount: Money
  readonly reference: string
  readonly returnUrl: string
  readonly cancelUrl: string
  readonly callbackUrl: string
  readonly expiresAt: Instant
  /** Language tag the shop sent; null if none. */
  readonly locale: string | null
  /** Metadata that is returned to the shop, in protocols that support it. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly description?: string | undefined
  /** Allowed payment methods, in protocols that support them. */
  readonly methods?: readonly string[] | undefined
  readonly openedAt?: Instant | undefined
  /** Refunds that the shop has asked for by the API, oldest first. */
  readonly refunds?: readonly ApiRefund[] | undefined
}

/** `key`: of the request, which repeats nothing. `text`: the reason, or the name of a pull payment. */
export type ApiRefund = { readonly key: string; readonly text: string; readonly minor: number }

/** A stored payment. */
export type SandboxPayment = {
  readonly id: string
  /** The protocol by which it was created. */
  readonly protocol: string
  readonly details: PaymentDetails
  readonly status: SandboxStatus
  readonly received: Money
  /** Total refunded so far; `received` stays unchanged. */
  readonly refunded: Money
  readonly transactionId: string | null
}

/** Status at an instant: expiry is derived from the clock, not stored. */
export function statusAt(payment: SandboxPayment, now: Instant): SandboxStatus | "expired" {
  return payment.status === "pending" && now > payment.details.expiresAt ? "expired" : payment.status
}

/** Protocols in which a partially paid payment accepts the rest until it expires. */
const toppedUp: readonly string[] = ["btcpay", "cryptomus"]

/** Amount due in minor units; 0 once the payment is decided or expired. */
export function dueAt(payment: SandboxPayment, now: Instant): number {
  const { status, protocol, details, received } = payment
  const isOpen = status === "pending" || (status === "partial" && toppedUp.includes(protocol))
  return isOpen && now <= details.expiresAt ? Math.max(0, details.amount.minor - received.minor) : 0
}
