import type { SandboxPayment, SandboxStatus } from "./payment"

export type Outcome = {
  /** Share of the amount due that is paid, in percent; default 100. */
  readonly share?: number
  /** Resulting status; null leaves the payment open. */
  readonly status: Exclude<SandboxStatus, "pending" | "closed"> | null
  /** Number of callbacks sent to the shop. */
  readonly reports: number
  readonly leadsTo: "returnUrl" | "cancelUrl"
}

/** Outcomes a tester can choose on the payment page, in display order. */
export const outcomes = {
  paid: { status: "paid", reports: 1, leadsTo: "returnUrl" },
  less: { status: "partial", share: 80, reports: 1, leadsTo: "returnUrl" },
  more: { status: "paid", share: 110, reports: 1, leadsTo: "returnUrl" },
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

/** Whether an outcome is allowed in the payment's state: a partially paid payment cannot fail. */
export function isPossible(outcome: OutcomeName, { status, protocol }: SandboxPayment): boolean {
  return isOffered(outcome, protocol) && !(status === "partial" && outcome === "failed")
}
