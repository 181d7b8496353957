import type { Instant } from "~/domain/calendar"
import type { BulkItemState, BulkKind, BulkSkip } from "~/domain/console/bulk"
import type { OperatorRole } from "~/domain/operators/operator"

/**
 * Port of actions on many orders, services or jobs. The rows are fixed when a run begins, and each is done at most once, also
 * after a crash. Every call may throw a `BillingError`.
 */
export interface BulkRuns {
  /** Stores a run with its rows, and enqueues its job. Idempotent by the run's id. */
  begin(run: NewBulkRun, items: readonly ChosenItem[]): Promise<void>
  /** Null for an unknown id. */
  find(id: string): Promise<BulkRun | null>
  /** Newest first. */
  newest(limit: number): Promise<readonly BulkRun[]>
  /** Rows that are not settled, in their order. None of a run that was stopped. */
  unsettled(id: string, limit: number): Promise<readonly BulkItem[]>
  /** Rows behind a position, settled or not, in their order. */
  items(id: string, page: { readonly after: number; readonly limit: number }): Promise<readonly BulkItem[]>
  /**
   * Does what needs the database alone (extend, retry, send again) and settles the row, with an entry in the audit log, in one
   * transaction. Skips a row that has changed since it was chosen. No effect on one that is settled, or of a stopped run.
   */
  apply(item: ItemKey, at: Instant): Promise<void>
  /**
   * Begins what also needs others, such as gateways. False: the row is settled, has changed (it is skipped), or its run was
   * stopped. True also for a row that a worker has begun and not settled.
   */
  start(item: ItemKey, at: Instant): Promise<boolean>
  /** Settles a row that was begun, once. `skip`: why nothing was done; null: it was done, with an entry in the audit log. */
  settle(item: ItemKey, result: { readonly skip: BulkSkip | null; readonly at: Instant }): Promise<void>
  /** Settled rows stay as they are, the others are left. False if the run has ended, or was stopped before. */
  stop(id: string, stopped: { readonly by: string; readonly at: Instant }): Promise<boolean>
  /** Records the end of a run without unsettled rows. */
  finish(id: string, at: Instant): Promise<void>
  /**
   * Deletes at most 500 rows of the oldest run that has ended and was begun before an instant, and the run after its last row.
   * Returns how many were deleted.
   */
  deleteOld(before: Instant): Promise<number>
}

export type NewBulkRun = BulkKind & {
  readonly id: string
  /** The filter, as it was typed or chosen: by its names. */
  readonly conditions: Readonly<Record<string, unknown>>
  /** Days to give, negative to take back; null for other actions. What is sent again is the condition "message". */
  readonly days: number | null
  readonly reason: string
  /** Null for the admin CLI. */
  readonly operatorId: string | null
  /** E-mail, or "admin CLI". */
  readonly operator: string
  readonly at: Instant
}

export type BulkRun = NewBulkRun & {
  /** The operator's role now; null if the operator may do nothing any more, and for the admin CLI. */
  readonly role: OperatorRole | null
  readonly stoppedAt: Instant | null
  /** E-mail, "admin CLI", or why it was stopped by itself. */
  readonly stoppedBy: string | null
  readonly finishedAt: Instant | null
  readonly counts: Readonly<Record<BulkItemState, number>>
}

/** `item`: number of an order or a service, or id of a job. `mark`: what the action depends on, when it was chosen. */
export type ChosenItem = { readonly item: string; readonly mark: string }

export type ItemKey = { readonly runId: string; readonly position: number }

export type BulkItem = ItemKey & {
  readonly item: string
  readonly state: BulkItemState
  readonly skip: BulkSkip | null
  readonly at: Instant | null
}
