import type { TopUpPolicy } from "~/domain/orders/top-up"
import type { PlanChangePolicy } from "~/domain/services/plan-change"

/** The shop's rules for terms, from its configuration. */
export type TermPolicy = {
  /** Time zone of new terms (IANA). */
  readonly timeZone: string
  /** Days before the end on which a customer is reminded, longest first. */
  readonly reminders: readonly number[]
  readonly graceDays: number
  readonly terminateAfterDays: number
  /** Months ahead for which a service can be paid. */
  readonly renewAheadMonths: number
  readonly holdHours: number
  /** Hours in which an unused line of a reseller is cancelled for its credit. */
  readonly lineCancelHours: number
  readonly topUps: TopUpPolicy
  /** What becomes of the paid time in a change of plan. */
  readonly planChange: PlanChangePolicy
  /** Protection of services from before terms, in days from the upgrade. */
  readonly amnestyDays: number
}
