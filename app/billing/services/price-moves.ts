import type { Instant } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import type { Currency, Money } from "~/domain/money/money"
import type { PriceMoveCount } from "./service-admin"

/**
 * Port of the runs that announce another renewal price to all services of a plan, or take an announced one back, in the background. Every
 * call may throw a `BillingError`.
 */
export interface PriceMoves {
  /**
   * Begins one, enqueues its job, and ends those that do the opposite for the same day. Idempotent by its id. Throws `BillingError`
   * "refused": an announcement as `ServiceAdmin.movePrice` does, a return if the day has come. "changed": another one of the product was
   * begun after `newestBefore`, so that nothing was.
   */
  begin(run: NewPriceMoveRun): Promise<"begun" | "changed">
  /** Goes on with a run, with its next services. False: it has ended. Each service once, also with several workers. */
  goOn(id: string, at: Instant): Promise<boolean>
  /** A run; null for an unknown id. */
  find(id: string): Promise<PriceMoveRun | null>
  /** The newest runs of a product, newest first. */
  ofProduct(productId: string, limit: number): Promise<readonly PriceMoveRun[]>
}

/** `return`: an announced price is taken back, and the services keep theirs. */
export type PriceMoveKind = "announcement" | "return"

/**
 * `price`: of one cycle of the plan, without extras; null: it is taken back, whatever it is. `from`: its first day. `operatorId`: null for
 * the admin CLI. `newestBefore`: id of the product's newest run that the operator knew, null without one; absent: any.
 */
export type NewPriceMoveRun = {
  readonly id: string
  readonly productId: string
  readonly cycle: Cycle
  readonly currency: Currency
  readonly from: Instant
  readonly reason: string
  readonly operatorId: string | null
  readonly operator: string
  readonly at: Instant
  readonly newestBefore?: string | null
} & (
  | { readonly kind: "announcement"; readonly price: Money }
  | { readonly kind: "return"; readonly price: null }
)

/**
 * Why a run has ended before its last service. `day-too-near`: the others would not get the time of notice any more. `day-come`: the price
 * is the services' own by now. `no-mail`: the shop sends none any more. `not-allowed`: the operator may not do it any more. `taken-back`:
 * the price was. `announced-again`: the price that was taken back was announced again.
 */
export const priceMoveProblems = [
  "day-too-near",
  "day-come",
  "no-mail",
  "not-allowed",
  "taken-back",
  "announced-again",
] as const
export type PriceMoveEnd = (typeof priceMoveProblems)[number]

/** The counts are those so far. */
export type PriceMoveRun = Omit<NewPriceMoveRun, "newestBefore"> &
  PriceMoveCount & {
    /** Null: it goes on. */
    readonly endedAt: Instant | null
    readonly problem: PriceMoveEnd | null
  }
