import type { CustomerAdmin, CustomerDetails, GrantedBefore } from "~/billing/customers/customer-admin"
import type { Approval, ApprovalDetails, ApprovalRepository } from "~/billing/operators/approvals"
import type { OperatorListed, OperatorRepository, OperatorSession } from "~/billing/operators/operators"
import type { OrderAdmin, OrderDetails } from "~/billing/orders/order-admin"
import type { OrderRepository } from "~/billing/orders/order-repository"
import type { GatewayRefundRepository } from "~/billing/payments/gateway-refunds"
import type { UnmatchedPayment } from "~/billing/payments/unmatched-payments"
import {
  APPROVAL_PERIOD,
  type ApprovedAction,
  awaitsConfirmation,
  GRANTS_OF,
  needsApproval,
  newAccess,
} from "~/domain/approval"
import type { Instant } from "~/domain/calendar"
import { type Currency, type Money, money } from "~/domain/money"
import { ADMIN_CLI, emailShownTo, mayDo } from "~/domain/operator"
import { decideByOperator } from "~/flows/payments/decide-by-operator.server"
import type { PollServices } from "~/flows/payments/poll-gateway.server"
import { refundOrder, refundThroughGateway } from "../orders/refund-order.server"
import { type AssigningServices, type Assignment, assignPayment } from "../payments/assign-payment.server"

/** Who asks or decides: an operator, or the admin CLI with `operatorId` null, which counts as one operator. */
export type Approver = { readonly operatorId: string | null; readonly operator: string }

/** The admin CLI as one who asks or decides. */
export const CLI_OPERATOR: Approver = { operatorId: null, operator: ADMIN_CLI }

export type MoneyRequest = {
  readonly id: string
  readonly action: ApprovedAction
  readonly amount: Money
  readonly reason: string
} & ApprovalDetails

type Asking = { readonly approvals: ApprovalRepository; readonly approveAbove: Money | null }

/**
 * Stores a request if its amount needs a second operator. Null: it needs none, and can be done at once. Earlier refunds of the
 * order count, so that no refund is split to stay below the limit; none may come in between (`RefundedBefore`).
 */
export async function askForApproval(
  { approvals, approveAbove }: Asking,
  { order, refunded }: Pick<OrderDetails, "order" | "refunded">,
  { id, action, amount, reason, ...chosen }: MoneyRequest,
  { at, ...asker }: Approver & { readonly at: Instant },
): Promise<{ readonly id: string; readonly expiresAt: Instant } | null> {
  const before = action === "refund-order" ? refunded.minor : 0
  if (!needsApproval(money(amount.minor + before, amount.currency), approveAbove)) return null
  const expiresAt = at + APPROVAL_PERIOD
  const about = { orderId: order.id, customerId: null }
  await approvals.add({ id, action, ...about, amount, details: chosen, reason, ...asker, at, expiresAt })
  return { id, expiresAt }
}

type CreditRequest = Pick<MoneyRequest, "id" | "amount" | "reason">

/**
 * Stores a request to grant account credit if its amount needs a second operator. Null: it needs none, and can be done at once.
 * What the customer was granted in the last day counts; nothing may be granted in between (`grantedBefore`).
 */
export async function askForCredit(
  { approvals, approveAbove }: Asking,
  customer: Pick<CustomerDetails, "id" | "creditMovements">,
  { id, amount, reason }: CreditRequest,
  { at, ...asker }: Approver & { readonly at: Instant },
): Promise<{ readonly id: string; readonly expiresAt: Instant } | null> {
  const before = grantedBefore(customer, amount.currency, at).minor
  if (!needsApproval(money(amount.minor + before, amount.currency), approveAbove)) return null
  const details = { endsService: false, force: false, throughGateway: false, address: null }
  const about = { action: "grant-credit", orderId: null, customerId: customer.id } as const
  const expiresAt = at + APPROVAL_PERIOD
  await approvals.add({ id, ...about, amount, details, reason, ...asker, at, expiresAt })
  return { id, expiresAt }
}

type AssignmentRequest = Pick<MoneyRequest, "id" | "amount" | "reason"> &
  Assignment & {
    readonly action: "assign-payment" | "credit-payment"
    readonly payment: Pick<UnmatchedPayment, "id" | "amount">
  }

/**
 * Stores a request to assign a payment that matches no order, if its amount needs a second operator. Null: it needs none, and can
 * be done at once. What a customer was granted in the last day counts.
 */
export async function askForAssignment(
  { approvals, approveAbove }: Asking,
  { id, action, amount, to, reason, payment }: AssignmentRequest,
  { at, ...asker }: Approver & { readonly at: Instant },
): Promise<{ readonly id: string; readonly expiresAt: Instant } | null> {
  const before = "customer" in to ? grantedBefore(to.customer, amount.currency, at).minor : 0
  if (!needsApproval(money(amount.minor + before, amount.currency), approveAbove)) return null
  const unmatched = { id: payment.id, expected: payment.amount }
  const details = { endsService: false, force: false, throughGateway: false, address: null, unmatched }
  const about =
    "order" in to ? { orderId: to.order.id, customerId: null } : { orderId: null, customerId: to.customer.id }
  const expiresAt = at + APPROVAL_PERIOD
  await approvals.add({ id, action, ...about, amount, details, reason, ...asker, at, expiresAt })
  return { id, expiresAt }
}

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

/** What waits for a second operator. The one who has asked sees it without the buttons. */
export async function openRequests(
  { operators }: Accounts,
  approvals: readonly Approval[],
  { operatorId, role, email }: Pick<OperatorSession, "operatorId" | "role" | "email">,
  now: Instant,
) {
  const open = approvals.filter((it) => awaitsConfirmation(it, now))
  const accounts = open.length > 0 ? await operators.list() : []
  return open.map((it) => ({
    ...it,
    operator: it.operator === email ? email : emailShownTo(role, it.operator),
    mayDecide: mayDo(role, "confirm-action") && it.operator !== email,
    newAccess: newAccessIn(accounts, it, operatorId, now),
  }))
}

type Accounts = { readonly operators: Pick<OperatorRepository, "list"> }

/** Operators are disabled and never deleted: an account that is unknown was added by nobody who is known. */
function newAccessIn(
  accounts: readonly OperatorListed[],
  { operatorId: askerId }: Approval,
  confirmerId: string | null,
  now: Instant,
) {
  const accessOf = (id: string | null) =>
    id === null ? null : (accounts.find((it) => it.id === id) ?? { accessAt: now, countsAtOnce: false })
  return newAccess({ asker: accessOf(askerId), confirmer: accessOf(confirmerId) }, now)
}

export type ApprovalProblem =
  | "no-such-request"
  /** The one who asked cannot decide. */
  | "own-request"
  /** The one who asked, or who confirms, has got access to the console lately: they may be one person. */
  | "asker-new"
  | "confirmer-new"
  /** It was decided meanwhile, or has expired. */
  | "decided"

export type ApprovalOutcome =
  | { readonly kind: "refused"; readonly approval: Approval }
  /** `result`: "done", or why nothing was changed. */
  | { readonly kind: "confirmed"; readonly approval: Approval; readonly result: string }
  | { readonly kind: ApprovalProblem }

type Deciding = { readonly approvals: ApprovalRepository; readonly now: () => Instant }
type Confirming = Deciding &
  Accounts &
  PollServices & {
    readonly billing: OrderRepository & AssigningServices["billing"]
    readonly orders: OrderAdmin
    readonly refunds: GatewayRefundRepository
    readonly customers: Pick<CustomerAdmin, "grantAccountCredit" | "customer">
    readonly unmatched: AssigningServices["unmatched"]
    readonly ownsCustomers: boolean
  }

/**
 * Confirms a request and carries it out, if the access of both who has asked and who confirms is old enough. A crash between the two
 * leaves it confirmed and open: it can be confirmed again, and moves the money once. One that a gateway's silence has stopped stays
 * open, too.
 */
export async function confirmRequest(
  services: Confirming,
  id: string,
  { operatorId, operator }: Approver,
): Promise<ApprovalOutcome> {
  const { approvals, operators, now } = services
  const found = await openRequest(services, id, operator)
  if ("kind" in found) return found
  const isNew = newAccessIn(await operators.list(), found, operatorId, now())
  if (isNew) return { kind: `${isNew.whose}-new` }
  const isFirst = found.decision === null
  if (isFirst && !(await approvals.decide({ id, decision: "confirmed", operator, at: now() })))
    return { kind: "decided" }
  const result = await carriedOut[found.action](services, found)
  if (result !== "no-answer") await approvals.finish(id, result)
  return { kind: "confirmed", approval: found, result }
}

/** Refuses a request: nothing is done. */
export async function refuseRequest(
  services: Deciding,
  id: string,
  { operator }: Approver,
): Promise<ApprovalOutcome> {
  const { approvals, now } = services
  const found = await openRequest(services, id, operator)
  if ("kind" in found) return found
  const isRefused = await approvals.decide({ id, decision: "refused", operator, at: now() })
  return isRefused ? { kind: "refused", approval: found } : { kind: "decided" }
}

async function openRequest(
  { approvals, now }: Deciding,
  id: string,
  operator: string,
): Promise<Approval | { readonly kind: ApprovalProblem }> {
  const found = await approvals.find(id)
  if (!found) return { kind: "no-such-request" }
  if (!awaitsConfirmation(found, now())) return { kind: "decided" }
  return found.operator === operator ? { kind: "own-request" } : found
}

/** Idempotent by the request's id. The result: "done", or why nothing was changed. */
const carriedOut: Readonly<
  Record<ApprovedAction, (services: Confirming, approval: Approval) => Promise<string>>
> = {
  async "refund-order"(services, { id, orderId, amount, reason, details }) {
    const { orders, now } = services
    if (orderId === null) return "no-such-order"
    const { throughGateway, toCredit, address, endsService } = details
    const refund = { key: id, amount, reason, at: now(), endsService }
    if (throughGateway) {
      const { kind: sending } = await refundThroughGateway(services, orderId, { ...refund, address })
      services.wakeJobs()
      return sending === "begun" || sending === "repeated" ? "done" : sending
    }
    const { kind } = await refundOrder(orders, orderId, { ...refund, toCredit })
    return kind === "refunded" ? "done" : kind
  },
  async "grant-credit"({ customers, now }, { id, customerId, amount, reason }) {
    if (customerId === null) return "no-such-customer"
    const grant = { key: id, amount, reason, at: now() }
    return (await customers.grantAccountCredit(customerId, grant)) ? "done" : "no-effect"
  },
  "assign-payment": assignAsked,
  "credit-payment": assignAsked,
  async "mark-order-paid"(services, { orderId, reason, details }) {
    if (orderId === null) return "no-such-order"
    const decided = await decideByOperator(services, orderId, {
      event: "paid",
      reason,
      force: details.force,
    })
    if (decided.kind === "done") services.wakeJobs()
    return decided.kind
  },
}

/** The payment is settled once: a request that is confirmed again finds it assigned. */
async function assignAsked(
  services: Confirming,
  { orderId, customerId, amount, reason, operator, details: { unmatched } }: Approval,
): Promise<string> {
  const to = orderId === null ? customerId && { customerId } : { orderId }
  if (!unmatched || !to) return "no-effect"
  const problem = await assignPayment(services, { ...unmatched, amount, to, operator, reason })
  return problem ?? "done"
}
