import type { RestWaived, WaivedRest } from "~/billing/orders/order-admin"
import { type Money, money } from "~/domain/money/money"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import { waivableRest } from "~/domain/orders/waived-rest"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { fulfil } from "../fulfilment/fulfilment.server"
import { applyTransition, latePaymentEvents, type Transition } from "../fulfilment/order-transitions.server"
import { isRefundOnItsWay } from "../ledger/refund-on-its-way.server"
import { order } from "../orders/orders.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { invoiceToRefund } from "./order-refunds.server"

/**
 * Waives what is left of an order: see `OrderAdmin.waiveRest`. It is booked as what the tolerance of a gateway forgives: the order is paid
 * with what was received, its invoice bills the price, and nobody has paid the rest.
 */
export async function waiveRest(ctx: DbContext, orderId: string, waived: WaivedRest): Promise<RestWaived> {
  return inTransaction(ctx, async (tx) => {
    if (!(await order(tx, orderId))) return "changed"
    // Locks the invoice: of a payment at the same time one reads the other.
    await invoiceToRefund(tx, orderId)
    if (await isRefundOnItsWay(tx, orderId)) return "refund-under-way"
    if (!(await isDue(tx, orderId, waived.rest))) return "changed"
    const moved = await applyTransition(tx, orderId, "paid")
    if (!moved) return "changed"
    await followUp(tx, orderId, { ...waived, moved })
    return "waived"
  })
}

async function isDue(tx: DbContext, orderId: string, rest: Money): Promise<boolean> {
  const present = await order(tx, orderId)
  const due = present && waivableRest(present)
  return due?.minor === rest.minor && due.currency === rest.currency
}

async function followUp(
  tx: DbContext,
  orderId: string,
  { rest, reason, at, moved }: WaivedRest & { readonly moved: Transition },
): Promise<void> {
  const fulfilled = await fulfil(tx, orderId, at, true)
  const reference = `${OPERATOR_REFERENCE}${reason}`
  await appendTimelineEvents(tx, orderId, [
    ...latePaymentEvents(moved, at),
    { kind: "rest-waived", at, amount: rest, reference },
    { kind: "paid", at, amount: money(0, rest.currency), reference },
    ...fulfilled,
  ])
}
