import type { UnmatchedPayment } from "~/billing/unmatched-payments"
import { CLI_OPERATOR } from "~/flows/admin/approvals.server"
import {
  auditedPayment,
  settleUnmatched,
  subjectOf,
  type UnmatchedChange,
  type UnmatchedProblem,
} from "~/flows/admin/unmatched-payments.server"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { amount, jsonAmount, jsonTime, time } from "../format"
import { limitIn } from "../limit"

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
  return async ({ billing, args: [id = ""] }) => {
    const found = await billing.unmatched.find(id)
    return found && { action, subject: subjectOf(found) }
  }
}

async function settled(call: Call, action: UnmatchedChange["action"]) {
  const { billing, options, now } = call
  const payment = await paymentOf(call)
  const { reason = "", reference } = options
  const services = { unmatched: billing.unmatched, now: () => now }
  const change = { action, reason: reason.trim(), reference: reference?.trim() }
  const problem = await settleUnmatched(services, payment, { ...change, operator: CLI_OPERATOR.operator })
  if (problem !== null) throw errorOf(problem)
  const after = await paymentOf(call)
  return {
    text: lineOf(after),
    data: { payment: jsonUnmatched(after) },
    after: auditedPayment(after),
  }
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
  changed: "Nothing was changed: another operator has settled it, or more money has arrived.",
}

function errorOf(problem: UnmatchedProblem): CommandError {
  const isUsage = problem === "reason-missing" || problem === "reference-missing"
  return isUsage ? new UsageError(messages[problem]) : new CommandError(messages[problem])
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
