import type { OwnedThere, StandingThere, TheirOrders } from "~/billing/external/external-orders"
import { fromDecimal } from "~/domain/money"
import { type Ask, ifTheyHave, isRefusal } from "./api-client.server"
import { calls, type ToldInvoice } from "./endpoints"
import type { Lines } from "./service-lookup.server"
import { connectionsNamed } from "./upsell-reference"

type Ending = Pick<TheirOrders, "cancelOrder" | "fraudOrder" | "standing">

/** How orders stand there, and how they come to nothing. */
export function standingThere(ask: Ask, lines: Lines): Ending {
  const standing = async (order: OwnedThere) => (await byInvoice(ask, order)) ?? (await bySight(lines, order))

  const close = (order: OwnedThere, call: typeof calls.cancelOrder) =>
    closed(ask, call, order).catch(async (error: unknown) => {
      // A no to what is so already is none.
      if (!isRefusal(error) || !isOver(await standing(order))) throw error
    })

  return {
    standing,
    cancelOrder: (order) => close(order, calls.cancelOrder),
    fraudOrder: (order) => close(order, calls.fraudOrder),
  }
}

async function closed(ask: Ask, call: typeof calls.cancelOrder, order: OwnedThere): Promise<void> {
  const { orderId, customerId } = order
  if (orderId === null || connectionsNamed(orderId) !== null) return
  await ask(call, { orderid: orderId, clientid: customerId }, { customerId })
}

function isOver({ state }: StandingThere): boolean {
  return state === "cancelled" || state === "fraud"
}

type State = StandingThere["state"]

/** WHMCS's words for an invoice. One they have paid back is as good as none. */
const states: Readonly<Record<string, State>> = {
  paid: "paid",
  cancelled: "cancelled",
  canceled: "cancelled",
  refunded: "cancelled",
  fraud: "fraud",
}

async function byInvoice(ask: Ask, order: OwnedThere): Promise<StandingThere | null> {
  const { invoiceId: invoiceid, orderId: orderid, customerId } = order
  if (invoiceid === null) return null
  const said = {
    invoiceid,
    orderid: connectionsNamed(orderid) === null ? orderid : null,
    clientid: customerId,
  }
  const told = await ifTheyHave(ask(calls.invoice, said, { customerId }))
  if (told?.invoiceid !== invoiceid) return null
  return { state: states[told.status.toLowerCase()] ?? "open", received: receivedOf(told) }
}

function receivedOf({ received, currency }: ToldInvoice): StandingThere["received"] {
  return received !== undefined && currency ? fromDecimal(received, currency) : null
}

/** What a service looks like once its order has been decided, where nobody tells of invoices. */
const sights: Readonly<Record<string, State>> = {
  active: "paid",
  completed: "paid",
  suspended: "paid",
  cancelled: "cancelled",
  canceled: "cancelled",
  terminated: "cancelled",
  fraud: "fraud",
}

async function bySight(lines: Lines, order: OwnedThere): Promise<StandingThere> {
  if (order.kind === "upsell") return { state: await sightOfMore(lines, order), received: null }
  const told = await lines.told(order)
  return { state: sights[told?.status.toLowerCase() ?? ""] ?? "open", received: null }
}

/** Paid for when the connections are there. */
async function sightOfMore(lines: Lines, order: OwnedThere): Promise<State> {
  const wanted = connectionsNamed(order.orderId)
  if (wanted === null) return "open"
  const service = await lines.read(order)
  return (service?.connections ?? 0) >= wanted ? "paid" : "open"
}
