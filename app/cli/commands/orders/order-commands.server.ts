import { approvalResult } from "~/cli/approval-result"
import { ofOrder } from "~/cli/audited.server"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { amount, jsonAmount } from "~/cli/format"
import { paymentServices } from "~/cli/payment-services.server"
import type { Money } from "~/domain/money/money"
import { creditEarnedBy, type Order } from "~/domain/orders/order"
import { next } from "~/domain/orders/order-status"
import { outstanding } from "~/domain/orders/settlement"
import { waivableRest } from "~/domain/orders/waived-rest"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { askForApproval, CLI_OPERATOR, type MoneyRequest } from "~/flows/admin/ask-for-approval.server"
import {
  type Decided,
  decideByOperator,
  type OperatorDecision,
} from "~/flows/payments/decide-by-operator.server"
import { type PolledAttempt, type PollOutcome, pollOpenAttempts } from "~/flows/payments/poll-gateway.server"
import { waiveRest } from "~/flows/payments/waive-rest.server"
import { approvalLimitOf } from "~/wiring/approval-limit.server"
import { newId } from "~/wiring/new-id.server"

const FORCE = "also if a gateway does not respond, or a payment is in progress"

/** Polls the gateways for an order's open payments and records the payment updates. */
export const pollOrder: Command = {
  about: "query the gateways for its payments and record the result",
  args: ["NUMBER"],
  audit: ofOrder("poll-order"),
  async run(call) {
    const order = await orderNamed(call, call.args[0] ?? "")
    const services = paymentServices(call)
    const outcomes = await pollOpenAttempts(services, order.id, { force: true })
    await services.stepCounter.flush()
    const payments = outcomes.map(pollResult)
    const polled = await orderNamed(call, order.id)
    const lines = payments.map(({ gateway, result }) => `  ${gateway}  ${result}`)
    return {
      text: [statusOf(polled), ...(payments.length === 0 ? ["No open payments."] : lines)].join("\n"),
      data: { order: jsonOrder(polled), payments },
    }
  },
}

/** Marks an order as paid on the operator's decision; a running shop then provisions its service. */
export const markPaid: Command = {
  about: "mark an order as paid, after polling its gateways; cancels its open payments",
  args: ["NUMBER"],
  options: { reason: "why, for the timeline" },
  required: ["reason"],
  flags: { force: FORCE },
  audit: ofOrder("mark-order-paid"),
  async run(call) {
    const asked = await askedFirst(call, { action: "mark-order-paid" })
    if (asked) return approvalResult(asked)
    const { order, reason } = await decide(call, "paid")
    const { id, received, total } = order
    return {
      text: `Order ${id} marked as ${order.status} (${reason}); received from gateways: ${amount(received)} of ${amount(total)}.`,
      data: { order: jsonOrder(order) },
    }
  },
}

/** Waives what an order lacks, on the operator's decision; a running shop then provisions its service. */
export const waiveOrderRest: Command = {
  about: "waive the rest of an order that lacks at most a tenth of its price, after polling its gateways",
  args: ["NUMBER"],
  options: { reason: "why, for the timeline" },
  required: ["reason"],
  flags: { force: FORCE },
  audit: ofOrder("waive-rest"),
  async run(call) {
    const found = await orderNamed(call, call.args[0] ?? "")
    const rest = waivableRest(found)
    if (!rest) throw new CommandError(`${statusOf(found)} It has no rest that can be waived.`)
    const asked = await askedFirst(call, { action: "waive-rest", amount: rest })
    if (asked) return approvalResult(asked)
    const reason = reasonOf(call)
    const services = paymentServices(call)
    const waiving = { rest, reason, force: call.flags.includes("force") }
    const waived = await waiveRest({ ...services, orders: call.billing.operator }, found.id, waiving)
    await services.stepCounter.flush()
    if (waived.kind !== "done") throw new CommandError(whyNot(waived))
    const text = `Order ${found.id} is ${waived.order.status}: ${amount(rest)} waived (${reason}).`
    return { text, data: { order: jsonOrder(waived.order), waived: jsonAmount(rest) } }
  },
}

/** The request that waits for a second operator; null: it can be done at once. */
async function askedFirst(call: Call, asked: Pick<MoneyRequest, "action"> & { amount?: Money }) {
  const { billing, config, flags, now } = call
  const details = await billing.operator.order(call.args[0] ?? "")
  if (!details || next(details.order.status, "paid") === undefined) return null
  const request: MoneyRequest = {
    amount: outstanding(details.order),
    ...asked,
    id: newId(),
    reason: reasonOf(call),
    endsService: false,
    force: flags.includes("force"),
    throughGateway: false,
    address: null,
  }
  const asking = { approvals: billing.approvals, approveAbove: approvalLimitOf(config) }
  return askForApproval(asking, details, request, { ...CLI_OPERATOR, at: now })
}

function reasonOf({ options }: Call): string {
  const reason = options.reason?.trim()
  if (!reason) throw new UsageError("Option --reason is required.")
  return reason
}

/**
 * Cancels an unpaid order and releases its promotion use and its reserved account credit. Partial payments become
 * account credit of the customer, or stay with the order where a billing server takes the payments.
 */
export const cancelOrder: Command = {
  about:
    "cancel an unpaid order, after polling its gateways; money received becomes credit, here or at the billing server",
  args: ["NUMBER"],
  options: { reason: "why, for the timeline" },
  required: ["reason"],
  flags: { force: FORCE },
  audit: ofOrder("cancel-order"),
  async run(call) {
    const { order } = await decide(call, "aborted")
    const earned = creditEarnedBy(order)
    const credit = earned.minor > 0 ? ` ${amount(earned)} became account credit.` : ""
    return { text: `${statusOf(order)}${credit}`, data: { order: jsonOrder(order) } }
  },
}

async function decide(
  call: Call,
  event: OperatorDecision["event"],
): Promise<{ order: Order; reason: string }> {
  const { id } = await orderNamed(call, call.args[0] ?? "")
  const reason = reasonOf(call)
  const force = call.flags.includes("force")
  const services = paymentServices(call)
  const decided = await decideByOperator(services, id, { event, reason, force })
  await services.stepCounter.flush()
  if (decided.kind === "done") return { order: decided.order, reason }
  throw new CommandError(whyNot(decided))
}

function whyNot(decided: Exclude<Decided, { kind: "done" }>): string {
  switch (decided.kind) {
    case "no-answer":
      return `Cannot change the order: ${decided.gateways.join(", ")} did not respond. Use --force to change it anyway.`
    case "under-way":
      return `${statusOf(decided.order)} Cannot change the order: a payment is in progress. Use --force to change it anyway.`
    case "refund-under-way":
      return `${statusOf(decided.order)} Cannot change the order: a gateway is paying back a part of it.`
    case "unchanged":
      return `Cannot change an order with status "${decided.order.status}".`
    case "no-such-order":
      return "Order not found."
    default:
      throw new Error("Unknown outcome")
  }
}

function pollResult({ attempt, outcome }: PolledAttempt): { gateway: GatewayId; result: string } {
  return { gateway: attempt.gateway, result: resultOf(outcome) }
}

function resultOf(outcome: PollOutcome): string {
  switch (outcome.kind) {
    case "recorded":
      return `${outcome.update.status}, ${amount(outcome.update.received)}`
    case "not-due":
      return "polled a moment ago by a running shop"
    case "no-gateway":
      return "not configured"
    case "not-supported":
      return "polling not supported"
    case "no-answer":
      return `no response (${outcome.error})`
  }
}

async function orderNamed({ billing }: Call, number: string): Promise<Order> {
  const order = await billing.billing.order(number)
  if (!order) throw new CommandError(`Order "${number}" not found.`)
  return order
}

/** The state of an order in `--json` output. */
function jsonOrder({ id, status, total, received, credited }: Order) {
  return {
    number: id,
    status,
    total: jsonAmount(total),
    received: jsonAmount(received),
    credited: jsonAmount(credited),
  }
}

function statusOf({ id, status, total, received }: Order): string {
  return `Order ${id}: ${status}, ${amount(received)} of ${amount(total)} received.`
}
