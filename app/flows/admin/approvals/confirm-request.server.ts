import type { CustomerAdmin } from "~/billing/customers/customer-admin"
import type { Approval, ApprovalRepository } from "~/billing/operators/approvals"
import type { OrderAdmin } from "~/billing/orders/order-admin"
import type { OrderRepository } from "~/billing/orders/order-repository"
import type { GatewayRefundRepository } from "~/billing/payments/gateway-refunds"
import type { Instant } from "~/domain/calendar"
import { type ApprovedAction, awaitsConfirmation } from "~/domain/operators/approval"
import { decideByOperator } from "~/flows/payments/decide-by-operator.server"
import type { PollServices } from "~/flows/payments/poll-gateway.server"
import { waiveRest } from "~/flows/payments/waive-rest.server"
import type { Approver } from "../ask-for-approval.server"
import { refundOrder, refundThroughGateway } from "../orders/refund-order.server"
import { type AssigningServices, assignPayment } from "../payments/assign-payment.server"
import { newAccessIn, type OperatorAccounts } from "./open-requests.server"

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

type ApprovalServices = { readonly approvals: ApprovalRepository; readonly now: () => Instant }
type Confirming = ApprovalServices &
  OperatorAccounts &
  PollServices & {
    readonly billing: OrderRepository & AssigningServices["billing"]
    readonly orders: OrderAdmin
    readonly refunds: GatewayRefundRepository
    readonly customers: Pick<CustomerAdmin, "grantAccountCredit" | "customer">
    readonly unmatched: AssigningServices["unmatched"]
    readonly hasExternalBilling: boolean
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
  services: ApprovalServices,
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
  { approvals, now }: ApprovalServices,
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
  async "waive-rest"(services, { orderId, amount, reason, details: { force } }) {
    if (orderId === null) return "no-such-order"
    const { kind } = await waiveRest(services, orderId, { rest: amount, reason, force })
    if (kind === "done") services.wakeJobs()
    return kind
  },
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
