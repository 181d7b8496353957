import type { Cycle } from "~/domain/billing-cycle"
import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money"
import type { PriceMoveCount } from "./service-admin"

/**
 * Port of the announcements of another renewal price to all services of a plan, which go on in the background. Every call may throw a
 * `BillingError`.
 */
export interface PriceMoves {
  /** Begins one, and enqueues its job. Idempotent by its id. Throws `BillingError` "refused" as `ServiceAdmin.movePrice` does. */
  begin(run: NewPriceMoveRun): Promise<void>
  /** Announces the price to the next services of a run. False: the run has ended. Each service once, also with several workers. */
  announceNext(id: string, at: Instant): Promise<boolean>
  /** A run; null for an unknown id. */
  find(id: string): Promise<PriceMoveRun | null>
  /** The newest runs of a product, newest first. */
  ofProduct(productId: string, limit: number): Promise<readonly PriceMoveRun[]>
}

/** `operatorId`: null for the admin CLI. `price`: of one cycle of the plan, without extras. */
export type NewPriceMoveRun = {
  readonly id: string
  readonly productId: string
  readonly cycle: Cycle
  readonly price: Money
  readonly from: Instant
  readonly reason: string
  readonly operatorId: string | null
  readonly operator: string
  readonly at: Instant
}

/**
 * Why a run has ended before its last service. `day-too-near`: the others would not get the time of notice any more. `no-mail`: the
 * shop sends none any more. `not-allowed`: the operator may not do it any more. `taken-back`: the price was.
 */
export const priceMoveProblems = ["day-too-near", "no-mail", "not-allowed", "taken-back"] as const
export type PriceMoveEnd = (typeof priceMoveProblems)[number]

/** The counts are those so far. */
export type PriceMoveRun = NewPriceMoveRun &
  PriceMoveCount & {
    /** Null: it goes on. */
    readonly endedAt: Instant | null
    readonly problem: PriceMoveEnd | null
  }
