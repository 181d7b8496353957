import type { Attempt } from "~/billing/payment-repository"
import type { Order } from "~/domain/order"
import {
  type Decided,
  decideByOperator,
  type OperatorDecision,
} from "~/flows/payments/decide-by-operator.server"
import { GatewayError } from "~/gateways/gateway"
import { type Call, type Command, CommandError } from "../command"
import { amount } from "../format"

/** Polls the gateways for an order's open payments and records the payment updates. */
export const poll: Command = {
  args: ["NUMBER"],
  async run(call) {
    const { billing, args } = call
    const order = await orderNamed(call, args[0] ?? "")
    const open = await billing.payments.openAttempts(order.id)
    if (open.length === 0) return `${statusOf(order)}\nNo open payments.`
    const result = []
    for (const attempt of open) result.push(await pollAttempt(call, attempt))
    return [statusOf(await orderNamed(call, order.id)), ...result].join("\n")
  },
}

/** Marks an order as paid on the operator's decision; a running shop then provisions its service. */
export const paid: Command = {
  args: ["NUMBER"],
  options: ["reason"],
  flags: ["force"],
  async run(call) {
    const { order, reason } = await decide(call, "paid")
    const { id, received, total } = order
    return `Order ${id} marked as ${order.status} (${reason}); received from gateways: ${amount(received)} of ${amount(total)}.`
  },
}

/**
 * Cancels an unpaid order and releases its promotion use and its reserved account credit. Partial payments become
 * account credit of the customer.
 */
export const cancel: Command = {
  args: ["NUMBER"],
  options: ["reason"],
  flags: ["force"],
  async run(call) {
    const { order } = await decide(call, "aborted")
    const { credited } = order
    return credited.minor > 0
      ? `${statusOf(order)} ${amount(credited)} became account credit.`
      : statusOf(order)
  },
}

async function decide(
  call: Call,
  event: OperatorDecision["event"],
): Promise<{ order: Order; reason: string }> {
  const { id } = await orderNamed(call, call.args[0] ?? "")
  const reason = call.options.reason?.trim()
  if (!reason) throw new CommandError("Option --reason is required.")
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

async function pollAttempt({ billing, gateways, config, now }: Call, attempt: Attempt): Promise<string> {
  const { gateway: id, paymentId } = attempt
  const gateway = gateways().get(id)
  if (!gateway || !paymentId) return `  ${id}  not configured`
  try {
    const update = await gateway.fetchPayment({ paymentId })
    if (!update) return `  ${id}  polling not supported`
    await billing.payments.recordPaymentUpdate(id, update, now, config.PAYMENT_TOLERANCE[id])
    return `  ${id}  ${update.status}, ${amount(update.received)}`
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return `  ${id}  no response (${error.kind})`
  }
}

async function orderNamed({ billing }: Call, number: string): Promise<Order> {
  const order = await billing.billing.order(number)
  if (!order) throw new CommandError(`Order "${number}" not found.`)
  return order
}

function statusOf({ id, status, total, received }: Order): string {
  return `Order ${id}: ${status}, ${amount(received)} of ${amount(total)} received.`
}
