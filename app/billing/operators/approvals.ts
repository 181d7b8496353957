import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import type { ApprovedAction } from "~/domain/operators/approval"

/** Port of requests that wait for a second operator. Every call may throw a `BillingError`. */
export interface ApprovalRepository {
  /** Stores a request; one with the same id is stored once. */
  add(approval: NewApproval): Promise<void>
  /** Null for an unknown id. */
  find(id: string): Promise<Approval | null>
  /** All requests about an order, oldest first. */
  ofOrder(orderId: string): Promise<readonly Approval[]>
  /** All requests about a customer, not those about an order, oldest first. */
  ofCustomer(customerId: string): Promise<readonly Approval[]>
  /** Requests that can be confirmed, oldest first. */
  open(now: Instant, limit: number): Promise<readonly Approval[]>
  /** Confirms or refuses a request. False if it has been decided, or has expired. */
  decide(decision: ApprovalDecision): Promise<boolean>
  /** Records what became of a confirmed request: it is not open any more. */
  finish(id: string, result: string): Promise<void>
}

export type NewApproval = {
  readonly id: string
  readonly action: ApprovedAction
  /** What it is about: an order, or a customer. */
  readonly orderId: string | null
  readonly customerId: string | null
  readonly amount: Money
  readonly details: ApprovalDetails
  readonly reason: string
  /** Null for the admin CLI. */
  readonly operatorId: string | null
  /** E-mail, or "admin CLI". */
  readonly operator: string
  readonly at: Instant
  readonly expiresAt: Instant
}

/** What the operator has chosen besides the amount. */
export type ApprovalDetails = {
  /** A refund ends the service that the order has bought. */
  readonly endsService: boolean
  /** An order is marked as paid even if a gateway does not respond. */
  readonly force: boolean
  /** The gateway pays the refund; otherwise the operator has paid it. */
  readonly throughGateway: boolean
  /** The customer gets the refund as account credit. */
  readonly toCredit?: boolean | undefined
  /** Where the buyer wants it. */
  readonly address: string | null
  /** The payment that is assigned, and its open amount when it was asked for. */
  readonly unmatched?: { readonly id: string; readonly expected: Money | null } | undefined
}

export type Approval = NewApproval & {
  readonly decision: "confirmed" | "refused" | null
  readonly decidedBy: string | null
  readonly decidedAt: Instant | null
  /** What became of it; null: nothing yet. */
  readonly result: string | null
}

export type ApprovalDecision = {
  readonly id: string
  readonly decision: "confirmed" | "refused"
  readonly operator: string
  readonly at: Instant
}
