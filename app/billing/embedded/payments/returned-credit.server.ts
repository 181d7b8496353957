import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import { unpaidFinalStatuses } from "~/domain/orders/order-status"
import type { Settlement } from "~/domain/orders/settlement"
import type { OrderRow } from "../db/schema/order-rows"
import type { InvoiceRow } from "../db/schema/payment-rows"
import type { DbContext } from "../db/transaction.server"
import { returnedParts, spendParts, sumOf } from "../ledger/customer-credit.server"
import type { NewTimelineEvent } from "../orders/timeline.server"

type Late = {
  readonly order: Pick<OrderRow, "status" | "credit_scope">
  readonly invoice: InvoiceRow
  readonly at: Instant
}

type Completed = {
  readonly settlement: Settlement
  /** The invoice with the account credit that it has used. */
  readonly invoice: InvoiceRow
  readonly events: readonly NewTimelineEvent[]
}

/**
 * Spends the account credit again that an order has returned when it ended unpaid, if a late payment and that credit complete it:
 * the gateway was asked for the rest only. What does not complete it is left to the customer. `settleWith`: the settlement of the
 * payment with another amount credited.
 */
export async function withReturnedCredit(
  ctx: DbContext,
  settlement: Settlement,
  { order, invoice, at }: Late,
  settleWith: (credited: Money) => Settlement | "refused",
): Promise<Completed> {
  const unchanged = { settlement, invoice, events: [] }
  if (settlement.orderEvent !== "partlyPaid" || !unpaidFinalStatuses.includes(order.status)) return unchanged
  const scope = order.credit_scope ?? "none"
  const limit = invoice.total - (settlement.invoiceReceived.minor - invoice.credited)
  const parts = await returnedParts(ctx, invoice, { scope, limit })
  const credited = invoice.credited - sumOf(parts)
  const completed = settleWith(money(credited, invoice.currency))
  if (completed === "refused" || completed.orderEvent !== "paid") return unchanged
  const used = await spendParts(ctx, invoice, { parts, scope, at })
  return {
    settlement: completed,
    invoice: { ...invoice, credited },
    events: [{ kind: "credit-used", at, amount: money(used, invoice.currency) }],
  }
}
