import type { CustomerDetails, GrantedBefore } from "~/billing/customers/customer-admin"
import type { ApprovalDetails, ApprovalRepository, NewApproval } from "~/billing/operators/approvals"
import type { OrderDetails } from "~/billing/orders/order-admin"
import type { UnmatchedPayment } from "~/billing/payments/unmatched-payments"
import type { Instant } from "~/domain/calendar"
import { type Currency, type Money, money } from "~/domain/money/money"
import { APPROVAL_PERIOD, type ApprovedAction, GRANTS_OF, needsApproval } from "~/domain/operators/approval"
import { ADMIN_CLI } from "~/domain/operators/operator"
import type { Order } from "~/domain/orders/order"

/** Who asks or decides: an operator, or the admin CLI with `operatorId` null, which counts as one operator. */
export type Approver = { readonly operatorId: string | null; readonly operator: string }

/** The admin CLI as one who asks or decides. */
export const CLI_OPERATOR: Approver = { operatorId: null, operator: ADMIN_CLI }

type Asking = { readonly approvals: ApprovalRepository; readonly approveAbove: Money | null }
type Asker = Approver & { readonly at: Instant }

/** A request that waits for a second operator. */
type WaitingApproval = { readonly id: string; readonly expiresAt: Instant }

export type MoneyRequest = {
  readonly id: string
  readonly action: ApprovedAction
  readonly amount: Money
  readonly reason: string
} & ApprovalDetails

/**
 * Stores a request if its amount needs a second operator. Null: it needs none, and can be done at once. Earlier refunds of the
 * order count, so that no refund is split to stay below the limit; none may come in between (`RefundedBefore`).
 */
export function askForApproval(
  asking: Asking,
  { order, refunded }: Pick<OrderDetails, "order" | "refunded">,
  { id, action, amount, reason, ...details }: MoneyRequest,
  asker: Asker,
): Promise<WaitingApproval | null> {
  const before = action === "refund-order" ? refunded.minor : 0
  const about = { orderId: order.id, customerId: null }
  return ask(asking, before, { id, action, ...about, amount, details, reason, ...asker })
}

type CreditRequest = Pick<MoneyRequest, "id" | "amount" | "reason">

/**
 * Stores a request to grant account credit if its amount needs a second operator. Null: it needs none, and can be done at once.
 * What the customer was granted in the last day counts; nothing may be granted in between (`grantedBefore`).
 */
export function askForCredit(
  asking: Asking,
  customer: Grantee,
  { id, amount, reason }: CreditRequest,
  asker: Asker,
): Promise<WaitingApproval | null> {
  const before = grantedBefore(customer, amount.currency, asker.at).minor
  const about = { action: "grant-credit", orderId: null, customerId: customer.id } as const
  return ask(asking, before, { id, ...about, amount, details: nothingChosen, reason, ...asker })
}

type AssignmentRequest = Pick<MoneyRequest, "id" | "amount" | "reason"> & {
  readonly action: "assign-payment" | "credit-payment"
  readonly to: { readonly order: Pick<Order, "id"> } | { readonly customer: Grantee }
  readonly payment: Pick<UnmatchedPayment, "id" | "amount">
}

/**
 * Stores a request to assign a payment that matches no order, if its amount needs a second operator. Null: it needs none, and can
 * be done at once. What a customer was granted in the last day counts.
 */
export function askForAssignment(
  asking: Asking,
  { id, action, amount, to, reason, payment }: AssignmentRequest,
  asker: Asker,
): Promise<WaitingApproval | null> {
  const before = "customer" in to ? grantedBefore(to.customer, amount.currency, asker.at).minor : 0
  const about =
    "order" in to ? { orderId: to.order.id, customerId: null } : { orderId: null, customerId: to.customer.id }
  const details = { ...nothingChosen, unmatched: { id: payment.id, expected: payment.amount } }
  return ask(asking, before, { id, action, ...about, amount, details, reason, ...asker })
}

const nothingChosen: ApprovalDetails = {
  endsService: false,
  force: false,
  throughGateway: false,
  address: null,
}

/** `before`: what has moved earlier and counts, in minor units of the request's currency. */
async function ask(
  { approvals, approveAbove }: Asking,
  before: number,
  request: Omit<NewApproval, "expiresAt">,
): Promise<WaitingApproval | null> {
  const { id, amount, at } = request
  if (!needsApproval(money(amount.minor + before, amount.currency), approveAbove)) return null
  const expiresAt = at + APPROVAL_PERIOD
  await approvals.add({ ...request, expiresAt })
  return { id, expiresAt }
}

type Grantee = Pick<CustomerDetails, "id" | "creditMovements">

/** What a customer was granted that counts for a further grant in a currency. */
export function grantedBefore(
  { creditMovements }: Pick<CustomerDetails, "creditMovements">,
  currency: Currency,
  now: Instant,
): GrantedBefore {
  const since = now - GRANTS_OF
  const minor = creditMovements
    .filter(({ cause }) => cause === "granted" || cause === "assigned")
    .filter(({ at, amount }) => at > since && amount.currency === currency)
    .reduce((sum, { amount }) => sum + amount.minor, 0)
  return { since, minor }
}
