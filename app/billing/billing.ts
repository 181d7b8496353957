import { MINUTE, SECOND } from "~/domain/calendar"
import type { PromotionRejection } from "~/domain/catalogue/promotion"
import type { TrialMark } from "~/domain/catalogue/trial"
import type { Catalogue, Promotions } from "./catalogue/catalogue"
import type { Customers } from "./customers/customers"
import type { FraudAndAffiliates } from "./fraud-and-affiliates"
import type { HeldOrders, OrderRepository, Withdrawals } from "./orders/order-repository"
import type { Resellers } from "./resellers"
import type { PlanChanges } from "./services/plan-changes"
import type { Renewals } from "./services/renewals"
import type { ServiceRepository } from "./services/service-repository"

/**
 * All ports that a billing backend implements. Adapters: the embedded engine, and the mirror of an external billing
 * system. A consumer names the port that it calls. Every call may throw a `BillingError`. Instants are milliseconds since
 * 1970, money is minor units.
 */
export interface Billing
  extends Catalogue,
    Promotions,
    Customers,
    OrderRepository,
    HeldOrders,
    Withdrawals,
    Renewals,
    PlanChanges,
    Resellers,
    ServiceRepository,
    FraudAndAffiliates {}

/**
 * Maximum duration of a call to external billing in milliseconds, also if its caller has died or has given up: a call that could do
 * something twice is not repeated before.
 */
export const MAX_EXTERNAL_CALL = 2 * MINUTE

type BillingErrorOptions = ErrorOptions & { mayStillRun?: boolean; retryAfterSeconds?: number | null }

/**
 * Error of every billing adapter. `refused`: billing rejected the call; do not retry. `unavailable`: no response; may
 * be retried. `unreadable`: the response or a stored row could not be parsed.
 */
export class BillingError extends Error {
  override name = "BillingError"
  /** The call changes something, was not answered, and may still complete in external billing. */
  readonly mayStillRun: boolean
  /** How long billing has asked to be left alone; null: it has not. */
  readonly retryAfterSeconds: number | null

  constructor(
    readonly kind: "refused" | "unavailable" | "unreadable",
    message: string,
    { mayStillRun = false, retryAfterSeconds = null, ...options }: BillingErrorOptions = {},
  ) {
    super(message, options)
    this.mayStillRun = mayStillRun
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * The least wait before a call is repeated, in milliseconds: as long as billing has asked for, and until a call that it may still be
 * carrying out can be seen there.
 */
export function leastWait({ retryAfterSeconds, mayStillRun }: BillingError): number {
  return Math.max((retryAfterSeconds ?? 0) * SECOND, mayStillRun ? MAX_EXTERNAL_CALL : 0)
}

/** Whether billing rejected a call: what was asked for is not to be had. Other errors are of the shop or of billing, and are rethrown. */
export function isRefusedByBilling(error: unknown): error is BillingError {
  return error instanceof BillingError && error.kind === "refused"
}

/** Whether billing could not carry out a call that it has not rejected: it is not available, or its answer cannot be read. */
export function isBillingOutage(error: unknown): error is BillingError {
  return error instanceof BillingError && error.kind !== "refused"
}

/** Another unpaid renewal of the service has been placed since its unpaid renewals were read: read them again. */
export class ConcurrentRenewal extends BillingError {
  override name = "ConcurrentRenewal"

  constructor(readonly serviceId: string) {
    super("refused", `Another renewal of service ${serviceId} was placed meanwhile`)
  }
}

/** There is no free trial for this person: it was had before, by some of the marks. Nothing was created. */
export class TrialRefusedError extends BillingError {
  override name = "TrialRefusedError"

  constructor(readonly taken: readonly TrialMark[]) {
    super("refused", `A free trial was had before by the same ${taken.join(", ")}`)
  }
}

/**
 * A promotion could not be redeemed: others have used it up meanwhile, or this customer has, or an external billing system does not take
 * it for this order (`by-billing`). Nothing was created.
 */
export class PromotionRefusedError extends BillingError {
  override name = "PromotionRefusedError"

  constructor(
    readonly reason: Extract<PromotionRejection, "used-up" | "used-by-person"> | "by-billing",
    key: string,
    options?: ErrorOptions,
  ) {
    super("refused", `Promo code cannot be redeemed: ${key} (${reason})`, options)
  }
}

/** An external billing system rejects a promo code, with a sentence for its buyer. */
export class CodeRejectedError extends BillingError {
  override name = "CodeRejectedError"

  constructor(
    readonly sentence: string,
    options?: ErrorOptions,
  ) {
    super("refused", "Promo code rejected by billing", options)
  }
}

/**
 * It is unknown whether external billing has the order: another instance is creating it, or a process died while
 * creating it. Do not create it again; retry the call later.
 */
export class OrderPending extends BillingError {
  constructor(
    readonly orderId: string,
    options?: ErrorOptions,
  ) {
    super("unavailable", "Order is not confirmed by external billing yet", options)
  }
}

/**
 * Billing has a customer with this e-mail who cannot order: the account is closed, barred, or charged in a currency that
 * the shop does not sell in. Nothing was created.
 */
export class CustomerRejectedError extends BillingError {
  override name = "CustomerRejectedError"

  constructor(message: string, options?: ErrorOptions) {
    super("refused", message, options)
  }
}

/** External billing has taken the order and suspects fraud: nobody can pay it. */
export class OrderFlaggedError extends BillingError {
  override name = "OrderFlaggedError"

  constructor(message: string, options?: ErrorOptions) {
    super("refused", message, options)
  }
}

/** Too many passwords wait to be hashed (load shedding). Nothing was changed; retry after `retryAfterSeconds`. */
export class BillingOverloaded extends BillingError {
  override name = "BillingOverloaded"

  constructor(
    override readonly retryAfterSeconds: number,
    options?: ErrorOptions,
  ) {
    super("unavailable", "Too many concurrent password hashes", options)
  }
}
