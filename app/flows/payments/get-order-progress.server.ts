import type { Attempt } from "~/billing/payment-repository"
import type { Services } from "~/context/services.server"
import { type Coin, coinNamed, type Transfer } from "~/domain/coin"
import { hostOf } from "~/domain/host"
import type { Order } from "~/domain/order"
import { payableStatuses } from "~/domain/order-status"
import { takesPayment } from "~/domain/payment"
import { outstanding } from "~/domain/settlement"
import type { TimelineEvent } from "~/domain/timeline"
import { GatewayError } from "~/gateways/gateway"
import { pollOrderPayment } from "./poll-gateway.server"

export type Pay = {
  /** The provider's page. */
  readonly url: string
  readonly host: string
  /** What is due cannot be paid there any more: nobody is led there, and another payment has to be opened. */
  readonly ended: boolean
  /** Money is on its way there that is not confirmed yet: the order waits for it. */
  readonly underWay: boolean
  /** What the buyer has chosen to pay in on our own page; null where he pays at the provider's. */
  readonly coin: Coin | null
  /** How that is done; null when the quote has run out, or the provider does not say just now. */
  readonly transfer: Transfer | null
}

export type OrderProgress = {
  readonly order: Order
  readonly timeline: readonly TimelineEvent[]
  /** Where to pay; null when nothing can be paid any more, or the payment could not be opened yet. */
  readonly pay: Pay | null
  readonly version: string
}

/**
 * How an order stands, after asking the gateway when its last word is old. `known`: the order as it has been read a
 * moment ago, if it has. Null: no such order.
 */
export async function getOrderProgress(
  services: Services,
  orderId: string,
  known: Order | null = null,
): Promise<OrderProgress | null> {
  const { attempt, booked } = await pollOrderPayment(services, orderId)
  // Whatever else happens to the order in between is in the timeline, and so in the next look's mark.
  const [order, timeline] = await Promise.all([
    known?.id === orderId && !booked ? known : services.billing.order(orderId),
    services.billing.timeline(orderId),
  ])
  if (!order) return null
  const pay = payableStatuses.includes(order.status) ? await payBy(services, order, attempt) : null
  return { order, timeline, pay, version: `${orderVersion(order, timeline)}${seenIn(pay)}` }
}

async function payBy(services: Services, order: Order, attempt: Attempt | null): Promise<Pay | null> {
  if (!attempt?.url) return null
  const { gateways, now } = services
  const takesTopUps = gateways.get(attempt.gateway)?.takesTopUps ?? false
  const ended = !takesPayment(attempt, { due: outstanding(order), takesTopUps, now: now() })
  const coin = attempt.coin === null ? null : coinNamed(attempt.coin)
  const transfer = coin && !ended ? await transferOf(services, attempt) : null
  const underWay = attempt.status === "processing"
  return { url: attempt.url, host: hostOf(attempt.url), ended, underWay, coin, transfer }
}

/** A provider that does not answer leaves the buyer its page. */
async function transferOf({ gateways, log }: Services, attempt: Attempt): Promise<Transfer | null> {
  const { gateway, paymentId, orderId } = attempt
  const onSite = gateways.get(gateway)?.onSite
  if (!onSite || !paymentId) return null
  try {
    return await onSite.transfer({ paymentId })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    log.warn({ gateway, orderId, kind: error.kind }, "on-site payment details unavailable")
    return null
  }
}

/** What has been seen of a transfer changes the page too, before it is news; and so does a payment that has ended. */
function seenIn(pay: Pay | null): string {
  const { seen, confirmations } = pay?.transfer ?? {}
  const ended = pay?.ended ? ".ended" : ""
  return seen === undefined ? ended : `${ended}.${seen}.${confirmations ?? ""}`
}

/** Changes whenever something has happened to an order: what an open page compares. */
export function orderVersion(order: Order, timeline: readonly TimelineEvent[]): string {
  return `${order.status}.${timeline.length}`
}
