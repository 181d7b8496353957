import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money"

export const sandboxStatuses = ["pending", "partial", "paid", "failed", "closed"] as const
export type SandboxStatus = (typeof sandboxStatuses)[number]

/** What a shop asked for: the same for all protocols that the sandbox speaks. */
export type PaymentDetails = {
  readonly amount: Money
  readonly reference: string
  readonly returnUrl: string
  readonly cancelUrl: string
  readonly callbackUrl: string
  readonly expiresAt: Instant
  /** The language tag the shop named; null when it named none. */
  readonly locale: string | null
  /** What the shop wants to be told again, in protocols that have it. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly description?: string | undefined
  /** What it may be paid with, in protocols that have it. */
  readonly methods?: readonly string[] | undefined
  readonly openedAt?: Instant | undefined
}

/** A payment as the sandbox keeps it. */
export type SandboxPayment = {
  readonly id: string
  /** The protocol by which it was opened. */
  readonly protocol: string
  readonly details: PaymentDetails
  readonly status: SandboxStatus
  readonly received: Money
  /** All that has been given back so far; it does not lower what was received. */
  readonly refunded: Money
  readonly transactionId: string | null
}

/** A payment that nobody made in time has expired, without anybody writing that down. */
export function statusAt(payment: SandboxPayment, now: Instant): SandboxStatus | "expired" {
  return payment.status === "pending" && now > payment.details.expiresAt ? "expired" : payment.status
}

/** Providers at which a payment that was made in part takes the rest until its time is over. */
const toppedUp: readonly string[] = ["btcpay", "cryptomus"]

/** What can still be paid for a payment, in minor units; 0 once it is decided or its time is over. */
export function dueAt(payment: SandboxPayment, now: Instant): number {
  const { status, protocol, details, received } = payment
  const isOpen = status === "pending" || (status === "partial" && toppedUp.includes(protocol))
  return isOpen && now <= details.expiresAt ? Math.max(0, details.amount.minor - received.minor) : 0
}
