import type { Instant } from "~/domain/calendar"
import type { AccessScope, AuthenticatedCustomer, Customer } from "~/domain/customers/customer"
import type { Order } from "~/domain/orders/order"
import type { LineCancelled, LineOnCredit, ResellerCredits } from "~/domain/services/reseller-credits"
import type { Visitor } from "./customers/customers"
import type { NewOrder } from "./orders/new-order"

/** Port of resellers: accounts, reseller credits and lines. Every call may throw a `BillingError`. */
export interface Resellers {
  /** Whether a customer has a paid reseller service that is not cancelled (billing API: isReseller). */
  isReseller(customerId: string): Promise<boolean>
  /**
   * Authenticates or creates the account for a reseller plan (billing API: resellerAuth). With `existing`, and for an e-mail
   * that has an account, e-mail and password must match. Otherwise creates an account with access level `sign-up`. Null
   * if authentication fails. Every outcome takes one password hash, which prevents user enumeration by timing.
   */
  resellerAuth(request: ResellerSignIn): Promise<Customer | null>
  /**
   * Balance of a customer's reseller credits in their access scope, and the latest `limit` ledger entries. With a
   * sign-up password: credits bought and spent under that password only, at most the balance of the account.
   */
  resellerCredits(customer: AuthenticatedCustomer, limit: number): Promise<ResellerCredits>
  /** How many credits a reseller's account was sold by its plans, without those that refunds of plans have taken back. */
  creditsSold(serviceId: string): Promise<number>
  /**
   * Creates a line for a reseller's own customer, paid with reseller credits. Writes order, pending service,
   * provisioning job and ledger entry in one transaction. Idempotent: a repeated `key` returns the order it first
   * created. Throws `BillingError` "refused" without enough credits, and if the reseller service is not active or not
   * the customer's.
   */
  createLine(line: NewLine): Promise<Order>
  /**
   * Those of a customer's services that a reseller credit extends, by id: the customer's lines with an end, unless they are being
   * set up, or were ended or suspended for another reason than non-payment. None where an external billing decides on terms.
   */
  linesOnCredit(customerId: string, ids: readonly string[]): Promise<ReadonlyMap<string, LineOnCredit>>
  /**
   * Those of a customer's services that have ended before the end of their paid time, as a line that was cancelled for its credit
   * has.
   */
  linesEndedEarly(customerId: string, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Numbers of the orders by which a customer has ordered plans of their own, in place of lines for customers. */
  planOrdersOf(customerId: string): Promise<ReadonlySet<string>>
  /**
   * Adds one billing cycle to each of a reseller's lines, for a credit each, in one transaction and by one order, with the
   * rules of every renewal. Idempotent by `key`. Throws `BillingError` "refused", without a change, if the credits do not
   * suffice for all, or if one of them is none of `linesOnCredit`.
   */
  extendLines(extension: LineExtension): Promise<Order>
  /**
   * Ends an unused line (`isCancellable`) and gives its credit back, which is taken back at once if it is owed (`isCreditOwed`).
   * Null, without a change, if it may not be cancelled. Throws `BillingError` "refused" if it was extended meanwhile.
   */
  cancelLine(cancellation: LineCancellation): Promise<LineCancelled | null>
}

export type ResellerSignIn = Visitor & { password: string; existing: boolean }

export type LineExtension = Pick<
  NewLine,
  | "key"
  | "customerId"
  | "resellerServiceId"
  | "accessScope"
  | "resellerCreditScope"
  | "gateway"
  | "locale"
  | "address"
  | "number"
  | "at"
> & { readonly lineIds: readonly string[] }

/** The caller has checked that the line is in the reach of the session. */
export type LineCancellation = {
  readonly lineId: string
  readonly customerId: string
  readonly at: Instant
}

export type NewLine = Pick<
  NewOrder,
  | "key"
  | "customerId"
  | "quote"
  | "cycle"
  | "gateway"
  | "locale"
  | "address"
  | "holdReason"
  | "credentials"
  | "number"
  | "at"
> & {
  /** The reseller's service whose credits pay for it. */
  resellerServiceId: string
  /** Access scope of the reseller's session; null: unknown. */
  accessScope: AccessScope | null
  /** Scope of the reseller credits that may pay for the line: see `resellerCredits`. */
  resellerCreditScope: AccessScope
  /** The reseller's notes, for example the end customer's name. */
  notes: string
}
