import { createHash } from "node:crypto"
import type { OrderDetails } from "~/billing/orders/order-admin"
import { approvalResult } from "~/cli/approval-result"
import { audited } from "~/cli/audited.server"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { amount, jsonAmount } from "~/cli/format"
import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import { typedAmount, typedMinor } from "~/domain/money/typed-amount"
import { awaitsConfirmation } from "~/domain/operators/approval"
import type { Order } from "~/domain/orders/order"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { askForApproval, CLI_OPERATOR } from "~/flows/admin/ask-for-approval.server"
import {
  type GatewayRefundOutcome,
  isRefundable,
  type RefundOutcome,
  type RefundRequest,
  refundOrder as refund,
  refundRefusal,
  refundThroughGateway,
} from "~/flows/admin/orders/refund-order.server"
import { approvalLimitOf } from "~/wiring/approval-limit.server"

/** Records a refund, with `--send` has the gateway pay it, or with `--to-credit` gives it as account credit. */
export const refundOrder: Command = {
  about:
    "record money that you have paid back, let the gateway send it (--send), or give account credit (--to-credit)",
  args: ["NUMBER"],
  options: {
    amount: "in the order's currency, such as 12.50",
    reason: "why, for the timeline",
    address: "the buyer's address for the coin, where the gateway needs one",
  },
  required: ["amount", "reason"],
  flags: {
    send: "the gateway pays it, if its API can",
    "to-credit":
      "the customer gets it as account credit: first what account credit has paid, then what you were paid elsewhere",
    "end-service": "end the service that the order has bought, too",
  },
  async run(call) {
    const [number = ""] = call.args
    const typed = typedRefund(call)
    const details = await call.billing.operator.order(number)
    if (!details) throw new CommandError(`Order "${number}" not found.`)
    const { minor, reason, toCredit } = typed
    const sum = inCurrencyOf(details.order, call.options.amount)
    const request = {
      key: keyOf([number, minor, reason, ...(toCredit ? ["to-credit"] : [])]),
      toCredit,
      amount: sum,
      reason,
      at: call.now,
      endsService: call.flags.includes("end-service"),
      refundedBefore: details.refunded.minor,
    }
    const refunded = await refundAudited(call, details, request)
    if (refunded.kind === "waits") return approvalResult(refunded)
    if (refunded.kind === "begun") return sending(refunded.gateway, number)
    if (refunded.kind === "repeated") return begunBefore(refunded, number)
    if (refunded.kind !== "refunded") throw new CommandError(whyNot(refunded))
    const isBilledElsewhere = call.externalBilling !== null
    return report(refunded, { sum: amount(sum), toCredit, isBilledElsewhere })
  },
}

type TypedRefund = { readonly minor: number; readonly reason: string; readonly toCredit: boolean }

function typedRefund({ options, flags }: Call): TypedRefund {
  const reason = options.reason?.trim()
  if (!reason) throw new UsageError("Option --reason is required.")
  const minor = typedMinor(options.amount ?? "")
  if (!minor) throw new UsageError("--amount must be an amount such as 12.50.")
  const toCredit = flags.includes("to-credit")
  if (toCredit && flags.includes("send")) throw new UsageError("Give either --send or --to-credit.")
  return { minor, reason, toCredit }
}

function inCurrencyOf({ total: { currency } }: Pick<Order, "total">, text = ""): Money {
  const sum = typedAmount(text, currency)
  if (sum === null) throw new UsageError(`--amount must be in ${currency}, the currency of the order.`)
  return sum
}

function refundAudited(
  call: Call,
  details: OrderDetails,
  request: RefundRequest,
): Promise<RefundOutcome | GatewayRefundOutcome | WaitingApproval> {
  const { received, id: number } = details.order
  const about = { action: "refund-order", subject: `order ${number}`, reason: request.reason } as const
  const done = { refund: request.amount.minor, ...(request.toCredit && { toCredit: true }) }
  return audited<RefundOutcome | GatewayRefundOutcome | WaitingApproval>(call, about, async () => {
    const refusal = refusalOf(call, details, request)
    if (refusal) return { after: { ...done, result: refusal.kind }, value: refusal }
    const asked = await askedFirst(call, details, request)
    if (asked) return { after: { waits: asked.id }, value: { kind: "waits", ...asked } }
    if (call.flags.includes("send")) {
      const value = await send(call, number, request)
      return { after: { ...done, result: value.kind }, value }
    }
    const value = await refund(call.billing.operator, number, request)
    return { before: { received: received.minor }, after: { ...done, result: value.kind }, value }
  })
}

function refusalOf({ flags, options, gateways }: Call, details: OrderDetails, request: RefundRequest) {
  const throughGateway = flags.includes("send")
  const asked = { ...request, throughGateway, address: options.address ?? null }
  return refundRefusal(throughGateway ? gateways() : new Map(), details, asked)
}

/** The request that waits for a second operator, also of a repeated command; null: the refund can be recorded at once. */
async function askedFirst(
  { billing: { approvals }, config, flags, options, now }: Call,
  details: OrderDetails,
  { key, amount: sum, reason, endsService, toCredit = false }: RefundRequest,
): Promise<{ readonly id: string; readonly expiresAt: Instant } | null> {
  const known = await approvals.find(key)
  if (known && !awaitsConfirmation(known, now))
    throw new CommandError(
      `This refund was asked for before, and is ${known.result ?? "expired"}. For another one give another --reason.`,
    )
  const asking = { approvals, approveAbove: approvalLimitOf(config) }
  const throughGateway = flags.includes("send")
  if (known || !isRefundable(details, sum.minor, { toCredit, throughGateway })) return known
  const way = { force: false, throughGateway, toCredit, address: options.address ?? null }
  const request = { id: key, action: "refund-order", amount: sum, reason, endsService, ...way } as const
  return askForApproval(asking, details, request, { ...CLI_OPERATOR, at: now })
}

/**
 * A command that is repeated, because its answer was lost or by mistake, records no second refund: a further refund of the same
 * amount needs another reason. Never with "-" in front, which would be an option of `approvals confirm`.
 */
function keyOf(refund: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(refund)).digest("base64url").replace(/^-/, "_")
}

function send({ billing, gateways, options }: Call, number: string, request: RefundRequest) {
  const services = { orders: billing.operator, refunds: billing.refunds, gateways: gateways() }
  return refundThroughGateway(services, number, { ...request, address: options.address ?? null })
}

function sending(gateway: GatewayId, number: string) {
  return {
    text: `${gateway} is asked to pay it back. A running shop sends it within seconds; see "orders show ${number}".`,
    data: { order: number, gateway, isSending: true },
  }
}

type Repeated = Extract<GatewayRefundOutcome, { kind: "repeated" }>

function begunBefore({ gateway, state, detail }: Repeated, number: string) {
  if (state === "waiting") return sending(gateway, number)
  if (state !== "sent")
    throw new CommandError(
      `${gateway} has refused this refund${detail === null ? "" : ` (${detail})`}: no money was sent. To try again give another --reason.`,
    )
  return {
    text: `This refund was sent before, by ${gateway}. For another one give another --reason.`,
    data: { order: number, gateway, isSending: false },
  }
}

type WaitingApproval = { readonly kind: "waits"; readonly id: string; readonly expiresAt: Instant }
type Refunded = Extract<RefundOutcome, { kind: "refunded" }>

type Reported = {
  readonly sum: string
  readonly toCredit: boolean
  /** An external billing system has the order, and learns of no refund. */
  readonly isBilledElsewhere: boolean
}

function report(
  { order, gateway, serviceEnded, isRepeated }: Refunded,
  { sum, toCredit, isBilledElsewhere }: Reported,
) {
  const { id, status, total, received, credited } = order
  const service = serviceEnded ? " The service has ended." : " The service goes on."
  const there = isBilledElsewhere
    ? " The billing system does not learn of it: book the refund there, too."
    : ""
  const left = `${amount(received)} of ${amount(total)} received.`
  const way = gateway ?? (toCredit ? "account credit" : "paid elsewhere")
  return {
    text: isRepeated
      ? `This refund of ${sum} was recorded before; ${left} For another one give another --reason.`
      : `Refund of ${sum} recorded for order ${id} (${way}); ${left}${service}${there}`,
    data: {
      order: {
        number: id,
        status,
        total: jsonAmount(total),
        received: jsonAmount(received),
        credited: jsonAmount(credited),
      },
      gateway,
      toCredit,
      serviceEnded,
      isRepeated,
    },
  }
}

type Failed = Exclude<RefundOutcome | GatewayRefundOutcome, Refunded | { kind: "begun" | "repeated" }>

function whyNot(outcome: Failed): string {
  switch (outcome.kind) {
    case "too-much":
      if (outcome.received.minor === 0) return "Cannot refund: nothing is left to refund in this way."
      return `Cannot refund: at most ${amount(outcome.received)} is left to refund at once in this way.`
    case "elsewhere":
      return "Cannot refund: the external billing system has the customers' account credit. Give it there."
    case "not-its-service":
      return "Cannot end the service: another order has bought it. No changes were made."
    case "whole-only":
      return `Cannot refund: the gateway pays back the whole payment of ${amount(outcome.received)} only.`
    case "address-missing":
      return "Cannot refund: the gateway needs --address, where the buyer wants the money."
    case "no-gateway-refunds":
      return "Cannot refund: no gateway of this order can pay back. Send the money yourself, and record it without --send."
    case "refund-under-way":
      return "Cannot refund: the gateway is paying back money of this payment."
    case "changed":
      return "Cannot refund: something else of the order was refunded at the same time. Look at it, and try again."
    case "no-such-order":
      return "Order not found."
  }
}
