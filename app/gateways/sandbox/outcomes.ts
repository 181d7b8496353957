import type { SandboxStatus } from "./payment"

type Outcome = {
  /** What becomes of the payment; null leaves it open. */
  readonly status: Exclude<SandboxStatus, "pending" | "closed"> | null
  /** How often the shop is told. */
  readonly reports: number
  readonly leadsTo: "returnUrl" | "cancelUrl"
}

/** What a tester can choose on the pay page, in the order in which it is offered. */
export const outcomes = {
  paid: { status: "paid", reports: 1, leadsTo: "returnUrl" },
  failed: { status: "failed", reports: 1, leadsTo: "returnUrl" },
  abandoned: { status: null, reports: 0, leadsTo: "cancelUrl" },
  "paid-twice": { status: "paid", reports: 2, leadsTo: "returnUrl" },
  "paid-unreported": { status: "paid", reports: 0, leadsTo: "returnUrl" },
} as const satisfies Record<string, Outcome>

export type OutcomeName = keyof typeof outcomes
export const outcomeNames = Object.keys(outcomes) as OutcomeName[]

export function isOutcome(text: string | null): text is OutcomeName {
  return text !== null && Object.hasOwn(outcomes, text)
}
