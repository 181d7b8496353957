import type { Attempt, PaymentState } from "~/billing/payments/payment-repository"
import type { LoggedServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { hostOf } from "~/domain/host"
import type { Order } from "~/domain/orders/order"
import { type OrderStatus, payableStatuses } from "~/domain/orders/order-status"
import { outstanding } from "~/domain/orders/settlement"
import type { TimelineEvent } from "~/domain/orders/timeline"
import { type Coin, coinNamed, type Transfer } from "~/domain/payments/coin"
import { hasRunOut, takesPayment } from "~/domain/payments/payment"
import { lookInterval } from "~/domain/payments/poll-schedule"
import { GatewayError } from "~/gateways/gateway"
import { pollIfUnsettled, pollOrderPaymentForPage, pollOrderPaymentSaidPaid } from "./poll-gateway.server"

export type Pay = {
  /** URL of the provider's page. */
  readonly url: string
  readonly host: string
  /** The payment accepts no more money: its link is not shown, and another payment has to be created. */
  readonly ended: boolean
  /** It has ended because its time has run out: the buyer may have paid all the same. */
  readonly expired: boolean
  /** When it was opened. */
  readonly openedAt: Instant
  /** When the provider stops accepting money for it; null if the provider does not report that. */
  readonly endsAt: Instant | null
  /** An unconfirmed payment has been seen: the order waits for it. */
  readonly isProcessing: boolean
  /** The buyer has come back from it, and nothing of it has arrived. */
  readonly isAwaited: boolean
  /** Coin of an on-site payment; null for payment on the provider's page. */
  readonly coin: Coin | null
  /** Address and amount of the on-site payment; null if the quote has expired or the provider is unavailable. */
  readonly transfer: Transfer | null
}

export type OrderProgress = {
  readonly order: Order
  readonly timeline: readonly TimelineEvent[]
  /** The open payment; null if the order is not payable, or the payment could not be created yet. */
  readonly pay: Pay | null
  /** When the buyer began to wait for the payment: once back from the provider, that moment. */
  readonly since: Instant
  readonly version: string
}

/**
 * Progress of an order, after polling the gateway if an update can be expected, as from a buyer who says
 * that the payment has been made. Null for an unknown order.
 */
export async function getOrderProgress(
  services: LoggedServices,
  orderId: string,
  { saysPaid = false } = {},
): Promise<OrderProgress | null> {
  const attempt = await (saysPaid ? pollOrderPaymentSaidPaid : pollOrderPaymentForPage)(services, orderId)
  // Concurrent changes appear in the timeline, and therefore in the version of the next request.
  const [order, timeline] = await Promise.all([
    services.billing.order(orderId),
    services.billing.timeline(orderId),
  ])
  if (!order) return null
  const pay = await payBy(services, order, attempt)
  // The payment that was seen may be an earlier one of the order.
  const isSeen = timeline.at(-1)?.kind === "seen"
  const since = attempt?.returnedAt ?? attempt?.openedAt ?? order.placedAt
  return {
    order,
    timeline,
    pay: pay && { ...pay, isProcessing: pay.isProcessing || isSeen },
    since,
    version: `${orderVersion(order.status, timeline.length)}${seenIn(pay)}`,
  }
}

/**
 * Status of an order and the version of its page, for open pages that poll: the same as that of `getOrderProgress`, with fewer
 * reads. Null for an unknown order.
 */
export async function getOrderVersion(
  services: LoggedServices,
  orderId: string,
): Promise<{ readonly status: OrderStatus; readonly version: string } | null> {
  const state = await currentState(services, orderId)
  if (!state) return null
  const { status, events, attempt } = state
  return {
    status,
    version: `${orderVersion(status, events)}${seenIn(await payBy(services, state, attempt))}`,
  }
}

/** The state of an order, after polling the gateway if an update can be expected. */
async function currentState(services: LoggedServices, orderId: string): Promise<PaymentState | null> {
  const state = await services.payments.paymentState(orderId)
  const attempt = state?.attempt
  const isChanged = attempt && (await pollIfUnsettled(services, attempt, lookInterval(attempt)))
  return isChanged ? services.payments.paymentState(orderId) : state
}

/** The open payment of an order; null if it is not payable, or has none. */
async function payBy(
  services: Pick<LoggedServices, "gateways" | "now" | "log">,
  order: Pick<Order, "status" | "total" | "received" | "credited">,
  attempt: Attempt | null,
): Promise<Pay | null> {
  if (!payableStatuses.includes(order.status) || !attempt?.url) return null
  const { gateways, now } = services
  const takesTopUps = gateways.get(attempt.gateway)?.takesTopUps ?? false
  const ended = !takesPayment(attempt, { due: outstanding(order), takesTopUps, now: now() })
  const expired = ended && hasRunOut(attempt, now())
  const coin = attempt.coin === null ? null : coinNamed(attempt.coin)
  const transfer = coin && !ended ? await transferOf(services, attempt) : null
  const isProcessing = attempt.status === "processing"
  const isAwaited = attempt.returnedAt !== null && attempt.received.minor === 0
  const { url, openedAt, endsAt } = attempt
  return { url, host: hostOf(url), ended, expired, openedAt, endsAt, isProcessing, isAwaited, coin, transfer }
}

/** Null on failure: the buyer can use the provider's page. */
async function transferOf(
  { gateways, log }: Pick<LoggedServices, "gateways" | "log">,
  attempt: Attempt,
): Promise<Transfer | null> {
  const { gateway, paymentId, orderId, received } = attempt
  const onSite = gateways.get(gateway)?.onSite
  if (!onSite || !paymentId) return null
  try {
    return await onSite.transfer({ paymentId, received })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    log.warn({ gateway, orderId, kind: error.kind }, "on-site payment details unavailable")
    return null
  }
}

/** Part of the version: a seen transfer or an ended payment changes the page before it is a payment update. */
function seenIn(pay: Pay | null): string {
  const { seen, confirmations } = pay?.transfer ?? {}
  const ended = pay?.ended ? ".ended" : ""
  return seen === undefined ? ended : `${ended}.${seen}.${confirmations ?? ""}`
}

/** Version of an order that open pages compare: changes with every event. */
export function orderVersion(status: OrderStatus, events: number): string {
  return `${status}.${events}`
}
