import type { Instant } from "~/domain/calendar"
import { dueAt, type SandboxPayment, type SandboxStatus, statusAt } from "./payment"

export type Outcome = {
  /** Share of the amount due that is paid, in percent; default 100. */
  readonly share?: number
  /** Whether the payment expires, with one callback, before it gets the resulting status. */
  readonly expires?: boolean
  /** Resulting status; null leaves it unchanged. */
  readonly status: Exclude<SandboxStatus, "pending" | "marked" | "closed"> | null
  /** Number of callbacks sent to the shop about the resulting status. */
  readonly reports: number
  readonly leadsTo: "returnUrl" | "cancelUrl"
}

/** Outcomes a tester can choose on the payment page, in display order. */
export const outcomes = {
  paid: { status: "paid", reports: 1, leadsTo: "returnUrl" },
  less: { status: "partial", share: 80, reports: 1, leadsTo: "returnUrl" },
  more: { status: "paid", share: 110, reports: 1, leadsTo: "returnUrl" },
  late: { expires: true, status: "late", reports: 1, leadsTo: "returnUrl" },
  expired: { expires: true, status: null, reports: 0, leadsTo: "returnUrl" },
  processing: { status: "processing", reports: 1, leadsTo: "returnUrl" },
  failed: { status: "failed", reports: 1, leadsTo: "returnUrl" },
  abandoned: { status: null, reports: 0, leadsTo: "cancelUrl" },
  "paid-twice": { status: "paid", reports: 2, leadsTo: "returnUrl" },
  "paid-unreported": { status: "paid", reports: 0, leadsTo: "returnUrl" },
} as const satisfies Record<string, Outcome>

export type OutcomeName = keyof typeof outcomes
export const outcomeNames = Object.keys(outcomes) as OutcomeName[]

/** Coinbase accepts only the exact amount, so under- and overpayment are not offered there. */
export function isOffered(outcome: OutcomeName, protocol: string): boolean {
  return protocol !== "coinbase" || (outcome !== "less" && outcome !== "more")
}

export function isOutcome(text: string | null): text is OutcomeName {
  return text !== null && Object.hasOwn(outcomes, text)
}

/** Outcomes that a partially paid payment cannot have: part of its amount has been received for good. */
const notPartial: readonly OutcomeName[] = ["late", "processing", "failed"]

/** Outcomes of a payment that is seen and not confirmed yet, also after it has expired. */
const afterProcessing: readonly OutcomeName[] = ["paid", "failed"]

/** Whether an outcome is allowed in the payment's state. An unpaid payment that has expired can only be paid late. */
export function isPossible(outcome: OutcomeName, payment: SandboxPayment, now: Instant): boolean {
  if (!isOffered(outcome, payment.protocol)) return false
  if (payment.status === "processing") return afterProcessing.includes(outcome)
  if (dueAt(payment, now) === 0) return outcome === "late" && statusAt(payment, now) === "expired"
  return !(payment.status === "partial" && notPartial.includes(outcome))
}
