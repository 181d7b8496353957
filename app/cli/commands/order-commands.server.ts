import type { GatewayId } from "~/domain/gateway-id"
import type { Order } from "~/domain/order"
import {
  type Decided,
  decideByOperator,
  type OperatorDecision,
} from "~/flows/payments/decide-by-operator.server"
import { type PolledAttempt, type PollOutcome, pollOpenAttempts } from "~/flows/payments/poll-gateway.server"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { amount, jsonAmount } from "../format"

const FORCE = "also if a gateway does not respond, or a payment is in progress"

/** Polls the gateways for an order's open payments and records the payment updates. */
export const pollOrder: Command = {
  about: "query the gateways for its payments and record the result",
  args: ["NUMBER"],
  async run(call) {
    const order = await orderNamed(call, call.args[0] ?? "")
    const outcomes = await pollOpenAttempts(servicesOf(call), order.id, { force: true })
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
  async run(call) {
    const { order, reason } = await decide(call, "paid")
    const { id, received, total } = order
    return {
      text: `Order ${id} marked as ${order.status} (${reason}); received from gateways: ${amount(received)} of ${amount(total)}.`,
      data: { order: jsonOrder(order) },
    }
  },
}

/**
 * Cancels an unpaid order and releases its promotion use and its reserved account credit. Partial payments become
 * account credit of the customer.
 */
export const cancelOrder: Command = {
  about: "cancel an unpaid order, after polling its gateways; money received becomes account credit",
  args: ["NUMBER"],
  options: { reason: "why, for the timeline" },
  required: ["reason"],
  flags: { force: FORCE },
  async run(call) {
    const { order } = await decide(call, "aborted")
    const { credited } = order
    const credit = credited.minor > 0 ? ` ${amount(credited)} became account credit.` : ""
    return { text: `${statusOf(order)}${credit}`, data: { order: jsonOrder(order) } }
  },
}

async function decide(
  call: Call,
  event: OperatorDecision["event"],
): Promise<{ order: Order; reason: string }> {
  const { id } = await orderNamed(call, call.args[0] ?? "")
  const reason = call.options.reason?.trim()
  if (!reason) throw new UsageError("Option --reason is required.")
  const force = call.flags.includes("force")
  const decided = await decideByOperator(servicesOf(call), id, { event, reason, force })
  if (decided.kind === "done") return { order: decided.order, reason }
  throw new CommandError(whyNot(decided))
}

function whyNot(decided: Exclude<Decided, { kind: "done" }>): string {
  switch (decided.kind) {
    case "no-answer":
      return `Cannot change the order: ${decided.gateways.join(", ")} did not respond. Use --force to change it anyway.`
    case "under-way":
      return `${statusOf(decided.order)} Cannot change the order: a payment is in progress. Use --force to change it anyway.`
    case "unchanged":
      return `Cannot change an order with status "${decided.order.status}".`
    case "no-such-order":
      return "Order not found."
    default:
      throw new Error("Unknown outcome")
  }
}

/** The services that the payment flows require. */
function servicesOf({ billing, gateways, config, now, log }: Call) {
  return {
    billing: billing.billing,
    payments: billing.payments,
    gateways: gateways(),
    log,
    tolerance: config.PAYMENT_TOLERANCE,
    now: () => now,
    // A running shop polls the outbox, so it needs no wake-up from this process.
    wakeJobs: () => {},
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
