import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import type { DbContext } from "../db/transaction.server"
import { moveAccountCredit } from "../ledger/customer-credit.server"
import { completeOrder } from "../orders/complete-order.server"
import type { NewTimelineEvent } from "../orders/timeline.server"

/** `granted`: account credit that the settlement of its payment grants; null: the operator has received the total. */
type PaidTopUp = { readonly at: Instant; readonly granted: Money | null }

/** Completes a paid top-up in the current transaction. The order needs nothing more. */
export async function applyTopUp(
  ctx: DbContext,
  orderId: string,
  { at, granted }: PaidTopUp,
): Promise<readonly NewTimelineEvent[]> {
  const amount = granted ?? (await grantTotal(ctx, orderId, at))
  await completeOrder(ctx, orderId)
  return [{ kind: "credit-added", at, amount }]
}

async function grantTotal(ctx: DbContext, orderId: string, at: Instant): Promise<Money> {
  const invoice = await ctx.db
    .selectFrom("invoices")
    .selectAll()
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow()
  const minor = Math.max(0, invoice.total - invoice.credited)
  if (minor > 0) await moveAccountCredit(ctx, invoice, { minor, cause: "topup", at })
  return money(minor, invoice.currency)
}
