import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { DbContext } from "../db/transaction.server"
import { fulfil } from "../fulfilment/fulfilment.server"
import { applyTransition } from "../fulfilment/order-transitions.server"
import { moveAccountCredit } from "../ledger/customer-credit.server"
import { onItsWay } from "../ledger/refund-on-its-way.server"
import { appendTimelineEvents, type NewTimelineEvent } from "../orders/timeline.server"
import { invoiceToRefund } from "./order-refunds.server"

/**
 * Counts money again that a gateway was to pay back and does not, in the current transaction: it may complete its order, and what
 * exceeds the price of a paid one becomes account credit.
 */
export async function countRefused(ctx: DbContext, orderId: string, at: Instant): Promise<void> {
  const completed = await complete(ctx, orderId, at)
  await appendTimelineEvents(ctx, orderId, [...completed, ...(await creditExcess(ctx, orderId, at))])
}

/** Pays an order whose payments cover it now. Returns the timeline events. */
async function complete(ctx: DbContext, orderId: string, at: Instant): Promise<readonly NewTimelineEvent[]> {
  const { status, total, received, credited, currency } = await invoiceToRefund(ctx, orderId)
  const isCovered = received - credited - (await onItsWay(ctx, orderId)) >= total
  if (status !== "unpaid" || !isCovered || !(await applyTransition(ctx, orderId, "paid"))) return []
  const fulfilled = await fulfil(ctx, orderId, at, true)
  return [{ kind: "paid", at, amount: money(total, currency) }, ...fulfilled]
}

/** Turns what exceeds a paid order into account credit, as the payment would have that came second. Returns the timeline event. */
async function creditExcess(
  ctx: DbContext,
  orderId: string,
  at: Instant,
): Promise<readonly NewTimelineEvent[]> {
  const invoice = await invoiceToRefund(ctx, orderId)
  const { status, kind, total, received, credited, currency } = invoice
  const minor = received - credited - (kind === "topup" ? 0 : total)
  if (status !== "paid" || minor <= 0) return []
  await moveAccountCredit(ctx, invoice, { minor, cause: "surplus", at })
  return [{ kind: "overpaid", at, amount: money(minor, currency) }]
}
