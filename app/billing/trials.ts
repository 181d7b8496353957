import type { Instant } from "~/domain/calendar"

/** Port of free trials. Every call may throw a `BillingError`. */
export interface Trials {
  /** Forgets by which marks people had a trial, each after its time. */
  deleteOldClaims(now: Instant): Promise<void>
}
