import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { UnappliedReason } from "~/domain/payments/payment"
import type { UnmatchedState } from "~/domain/payments/unmatched-payment"
import type { GrantedBefore } from "../customers/customer-admin"

/** Port of payments that gateways have reported and that match no order. Every call may throw a `BillingError`. */
export interface UnmatchedPayments {
  /** Open ones, the longest waiting first, or those that were handled, newest first; at most `limit`. */
  list(query: { readonly isOpen: boolean; readonly limit: number }): Promise<readonly UnmatchedPayment[]>
  /** Null for an unknown id. */
  find(id: string): Promise<UnmatchedPayment | null>
  /**
   * Notes that a payment was returned, or that no money has arrived. False if it is not open any more, or its amount is not
   * `expected`: then nothing changes.
   */
  close(closing: UnmatchedClosing): Promise<boolean>
  /** Books a payment for an order or as a customer's account credit, once. */
  assign(assigning: UnmatchedAssigning): Promise<UnmatchedAssigned>
}

export type UnmatchedPayment = {
  readonly id: string
  readonly gateway: GatewayId
  /** The provider's id of the payment or transaction; null if it was not reported. */
  readonly paymentId: string | null
  /** Our id of the payment attempt in the report, which may be unknown; null if it cannot be read. */
  readonly attemptId: string | null
  readonly reason: UnappliedReason
  /** Summary of the newest report. */
  readonly detail: string
  /**
   * What is open of it, or what was handled; null: the reports do not say how much. Below zero: what its gateway has paid back after it
   * was assigned.
   */
  readonly amount: Money | null
  /** How often it was reported. */
  readonly count: number
  readonly firstAt: Instant
  readonly at: Instant
  readonly state: UnmatchedState
  /** The order whose payment attempt the report names; null: none. */
  readonly reportedOrderId: string | null
  /** What it is assigned to, if its gateway has paid it back since and nobody has dealt with that; otherwise null. */
  readonly takenBackFrom: { readonly orderId: string | null; readonly customerId: string | null } | null
  /** Null while it is open, and if the gateway itself has reported a refund. */
  readonly handling: UnmatchedHandling | null
}

export type UnmatchedHandling = {
  /** What it was assigned to. */
  readonly orderId: string | null
  readonly customerId: string | null
  /** Of the money that was returned. */
  readonly reference: string | null
  /** E-mail, or "admin CLI". */
  readonly operator: string
  readonly reason: string
  readonly at: Instant
}

/** `expected`: the open amount that the operator has seen. */
export type UnmatchedSettling = {
  readonly id: string
  readonly expected: Money | null
  readonly operator: string
  readonly reason: string
  readonly at: Instant
}

export type UnmatchedClosing = UnmatchedSettling & {
  readonly state: Extract<UnmatchedState, "returned" | "dismissed">
  readonly reference: string | null
}

/** `amount`: what is booked, in the currency of the order. `tolerance`: tolerated underpayment in basis points of the total. */
export type UnmatchedAssigning = UnmatchedSettling & {
  readonly amount: Money
  readonly to:
    | { readonly orderId: string }
    | { readonly customerId: string; readonly grantedBefore?: GrantedBefore | undefined }
  readonly tolerance: number
}

export type UnmatchedAssigned =
  /** `isPaid`: the order is paid by it. */
  | { readonly kind: "assigned"; readonly isPaid: boolean }
  /** It is not open any more, its amount is not `expected`, or the customer was granted more meanwhile: nothing has changed. */
  | { readonly kind: "changed" }
  | { readonly kind: "no-such-order" }
