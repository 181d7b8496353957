import type { SandboxPayment, SandboxStatus } from "./payment"

export type Outcome = {
  /** What comes of the amount, in percent. */
  readonly share?: number
  /** What becomes of the payment; null leaves it open. */
  readonly status: Exclude<SandboxStatus, "pending" | "closed"> | null
  /** How often the shop is told. */
  readonly reports: number
  readonly leadsTo: "returnUrl" | "cancelUrl"
}

/** What a tester can choose on the pay page, in the order in which it is offered. */
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

/** One provider takes the exact amount and no other. */
export function isOffered(outcome: OutcomeName, protocol: string): boolean {
  return protocol !== "coinbase" || (outcome !== "less" && outcome !== "more")
}

export function isOutcome(text: string | null): text is OutcomeName {
  return text !== null && Object.hasOwn(outcomes, text)
}

/** What has brought money does not fail any more. */
export function isPossible(outcome: OutcomeName, { status, protocol }: SandboxPayment): boolean {
  return isOffered(outcome, protocol) && !(status === "partial" && outcome === "failed")
}
