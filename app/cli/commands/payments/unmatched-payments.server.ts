import type { UnmatchedPayment } from "~/billing/payments/unmatched-payments"
import { approvalResult } from "~/cli/approval-result"
import { type Call, type Command, CommandError, type CommandResult, UsageError } from "~/cli/command"
import { amount, jsonAmount, jsonTime, time } from "~/cli/format"
import { limitIn } from "~/cli/limit"
import { paymentServices } from "~/cli/payment-services.server"
import { CLI_OPERATOR } from "~/flows/admin/ask-for-approval.server"
import {
  auditedPayment,
  settleUnmatched,
  subjectOf,
  type UnmatchedChange,
  type UnmatchedProblem,
} from "~/flows/admin/payments/unmatched-payments.server"
import { approvalLimitOf } from "~/wiring/approval-limit.server"
import { newId } from "~/wiring/new-id.server"

const USUAL = 200

export const listUnmatched: Command = {
  about: "list payments that gateways have reported and that match no order, the longest waiting first",
  args: [],
  options: { limit: `at most this many payments, ${USUAL} without it` },
  flags: { handled: "those that were assigned, returned or dismissed, newest first" },
  async run({ billing, options, flags }) {
    const limit = limitIn(options.limit, USUAL)
    const found = await billing.unmatched.list({ isOpen: !flags.includes("handled"), limit: limit + 1 })
    const payments = found.slice(0, limit)
    const isCut = found.length > limit
    const more = isCut ? ["There are more: raise --limit."] : []
    return {
      text: [...payments.map(lineOf), ...more].join("\n") || "All payments match an order.",
      data: { payments: payments.map(jsonUnmatched), isCut },
    }
  },
}

export const assignUnmatched: Command = {
  about: "assign a payment that matches no order to an order, or to a customer's account credit",
  args: ["ID"],
  options: {
    order: "number of the order",
    customer: "email of the customer",
    amount: "such as 12.50, if the reports do not say it in the currency of the order",
    reason: "why, for the timeline and the audit log",
  },
  required: ["reason"],
  audit: ({ billing, args, options }) =>
    entryOf({ billing, args }, options.order === undefined ? "credit-payment" : "assign-payment"),
  async run(call) {
    const { order, customer } = call.options
    if ((order === undefined) === (customer === undefined))
      throw new UsageError("Name --order NUMBER or --customer EMAIL.")
    return settled(call, order === undefined ? "credit-payment" : "assign-payment")
  },
}

export const returnUnmatched: Command = {
  about: "note that a payment which matches no order was returned to who has paid it",
  args: ["ID"],
  options: {
    reference: "of the money that was sent back, such as the provider's id of the refund",
    reason: "why, for the audit log",
  },
  required: ["reference", "reason"],
  audit: ofPayment("return-payment"),
  run: (call) => settled(call, "return-payment"),
}

export const dismissUnmatched: Command = {
  about: "note that no money has arrived with a report which does not say how much",
  args: ["ID"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofPayment("dismiss-payment"),
  run: (call) => settled(call, "dismiss-payment"),
}

function ofPayment(action: string): NonNullable<Command["audit"]> {
  return (call) => entryOf(call, action)
}

async function entryOf({ billing, args: [id = ""] }: Pick<Call, "billing" | "args">, action: string) {
  const found = await billing.unmatched.find(id)
  return found && { action, subject: subjectOf(found) }
}

async function settled(call: Call, action: UnmatchedChange["action"]): Promise<CommandResult> {
  const { options } = call
  const payment = await paymentOf(call)
  const services = settlingOf(call)
  const reason = options.reason?.trim() ?? ""
  const change = { ...options, action, reason, reference: options.reference?.trim() }
  const result = await settleUnmatched(services, payment, change, { ...CLI_OPERATOR, requestId: newId() })
  await services.stepCounter.flush()
  if (result.kind === "problem") throw errorOf(result.problem)
  if (result.kind === "waits") return approvalResult(result.request)
  const after = await paymentOf(call)
  return {
    text: lineOf(after),
    data: { payment: jsonUnmatched(after) },
    after: auditedPayment(after),
  }
}

function settlingOf(call: Call) {
  const { approvals, unmatched, operator: customers } = call.billing
  const approveAbove = approvalLimitOf(call.config)
  const hasExternalBilling = call.externalBilling !== null
  return { ...paymentServices(call), approvals, unmatched, customers, approveAbove, hasExternalBilling }
}

async function paymentOf({ billing, args: [id = ""] }: Call): Promise<UnmatchedPayment> {
  const found = await billing.unmatched.find(id)
  if (!found) throw new CommandError(`There is no payment "${id}" that matches no order.`)
  return found
}

const messages: Readonly<Record<UnmatchedProblem, string>> = {
  "reason-missing": "Option --reason is required.",
  "reference-missing": "Option --reference is required.",
  "not-allowed": "Nothing was changed: it is not open any more, or money has arrived with it.",
  "no-such-order": "Order not found.",
  "no-such-customer": "Customer not found.",
  "amount-missing": "Option --amount is required: an amount such as 12.50, in the currency of the order.",
  "amount-differs": "A payment is assigned as a whole: leave --amount out, or give what is reported.",
  elsewhere: "Assign it in the external billing system, which has the account credit of customers.",
  changed: "Nothing was changed: another operator has settled it, or more money has arrived.",
}

function errorOf(problem: UnmatchedProblem): CommandError {
  return problem.endsWith("-missing")
    ? new UsageError(messages[problem])
    : new CommandError(messages[problem])
}

function lineOf({
  id,
  gateway,
  paymentId,
  amount: sum,
  reason,
  detail,
  firstAt,
  count,
  state,
}: UnmatchedPayment) {
  const parts = [time(firstAt), id, state, gateway, paymentId, sum ? amount(sum) : "unknown amount", reason]
  return [...parts, count > 1 ? `${count} ×` : null, detail].filter(Boolean).join("  ")
}

function jsonUnmatched({
  id,
  amount: sum,
  firstAt,
  at,
  reportedOrderId,
  handling,
  ...payment
}: UnmatchedPayment) {
  return {
    payment: id,
    ...payment,
    amount: sum && jsonAmount(sum),
    firstAt: jsonTime(firstAt),
    at: jsonTime(at),
    order: reportedOrderId,
    handling: handling && { ...handling, at: jsonTime(handling.at) },
  }
}
