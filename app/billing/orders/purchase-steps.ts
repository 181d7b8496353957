import type { Day } from "~/domain/calendar"
import type { PurchaseStep, StepCount, StepSubject } from "~/domain/orders/purchase-step"

/** Port of the stored sums. Every call may throw a `BillingError`. */
export interface StepRepository {
  /** Adds to the sums of the same day, step, plan, gateway and language. */
  addSteps(counts: readonly StepCount[]): Promise<void>
  /** The sums of the days from `from` to `to`, both included, by day and step. */
  steps(from: Day, to: Day): Promise<readonly StepCount[]>
  /** Deletes the sums of the days before `day`. Returns how many rows were deleted. */
  deleteStepsBefore(day: Day): Promise<number>
}

/** Counts steps while they happen. */
export interface StepCounter {
  /** Counts at once and writes later, so that no response waits for the database. */
  count(step: PurchaseStep, subject: StepSubject): void
  /** Writes what has been counted since the last time. If that fails, it is kept for the next time. */
  flush(): Promise<void>
}
