import type { Approval } from "~/billing/operators/approvals"
import { type Call, type Command, CommandError } from "~/cli/command"
import { amount, jsonAmount, jsonTime, time } from "~/cli/format"
import { paymentServices } from "~/cli/payment-services.server"
import {
  type ApprovalOutcome,
  type ApprovalProblem,
  confirmRequest,
  refuseRequest,
} from "~/flows/admin/approvals/confirm-request.server"
import { CLI_OPERATOR } from "~/flows/admin/ask-for-approval.server"

const LISTED = 1_000

/** Lists what waits for a second operator. */
export const listApprovals: Command = {
  about: "list amounts that wait for a second operator, oldest first (APPROVE_ABOVE)",
  args: [],
  async run({ billing, now }) {
    const found = await billing.approvals.open(now, LISTED)
    return {
      text: found.map(lineOf).join("\n") || "Nothing waits for a second operator.",
      data: { approvals: found.map(jsonApproval) },
    }
  },
}

/** Confirms what an operator of the console has asked for, and carries it out. */
export const confirmApproval: Command = {
  about: "confirm what another operator has asked for, and do it",
  args: ["ID"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofRequest("confirm-action"),
  async run(call) {
    const services = paymentServices(call)
    const { approvals, operators, refunds, unmatched, operator: orders } = call.billing
    const hasExternalBilling = call.externalBilling !== null
    const outcome = await confirmRequest(
      {
        ...services,
        approvals,
        operators,
        refunds,
        unmatched,
        orders,
        customers: orders,
        hasExternalBilling,
      },
      call.args[0] ?? "",
      CLI_OPERATOR,
    )
    await services.stepCounter.flush()
    return decided(outcome)
  },
}

/** Refuses what an operator of the console has asked for. */
export const refuseApproval: Command = {
  about: "refuse what another operator has asked for",
  args: ["ID"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofRequest("refuse-action"),
  async run({ billing: { approvals }, args: [id = ""], now }) {
    return decided(await refuseRequest({ approvals, now: () => now }, id, CLI_OPERATOR))
  },
}

function ofRequest(action: string): NonNullable<Command["audit"]> {
  return async ({ billing, args: [id = ""] }: Call) => {
    const found = await billing.approvals.find(id)
    return found && { action, subject: subjectOf(found) }
  }
}

function decided(outcome: ApprovalOutcome) {
  if (!("approval" in outcome)) throw new CommandError(problems[outcome.kind])
  const { id, action, orderId, customerId, amount: sum } = outcome.approval
  const result = outcome.kind === "confirmed" ? outcome.result : "refused"
  const isDone = result === "done" || result === "refused"
  return {
    text: `${action} of ${amount(sum)}, ${subjectOf(outcome.approval)}: ${outcome.kind}${result === outcome.kind ? "" : `, ${result}`}.`,
    data: { request: id, order: orderId, customer: customerId, decision: outcome.kind, result },
    after: { request: id, result },
    isFailure: !isDone,
  }
}

const problems: Readonly<Record<ApprovalProblem, string>> = {
  "no-such-request": "There is no such request.",
  "own-request": "The admin CLI has asked for it: an owner confirms it in the console.",
  "asker-new":
    "The operator who has asked got access to the console less than 3 days ago. Confirm it later, or refuse it: approvals refuse",
  // The admin CLI has no account.
  "confirmer-new": "Your access to the console is less than 3 days old.",
  decided: "This request was decided before, or has expired.",
}

function subjectOf({ orderId, customerId }: Approval): string {
  return orderId === null ? `customer ${customerId}` : `order ${orderId}`
}

function lineOf(approval: Approval): string {
  const { id, amount: sum, operator, at, expiresAt, reason } = approval
  const action = approval.details.toCredit ? `${approval.action} to credit` : approval.action
  const until = `until ${time(expiresAt)}`
  return [time(at), id, action, amount(sum), subjectOf(approval), operator, until, reason].join("  ")
}

function jsonApproval({ id, action, orderId, customerId, amount: sum, operator, ...approval }: Approval) {
  const { at, expiresAt, reason, details } = approval
  const times = { at: jsonTime(at), expiresAt: jsonTime(expiresAt) }
  return {
    request: id,
    action,
    order: orderId,
    customer: customerId,
    amount: jsonAmount(sum),
    toCredit: details.toCredit === true,
    operator,
    reason,
    ...times,
  }
}
