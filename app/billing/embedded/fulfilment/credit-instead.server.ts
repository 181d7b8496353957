import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { DbContext } from "../db/transaction.server"
import { moveAccountCredit } from "../ledger/customer-credit.server"
import { completeOrder } from "../orders/complete-order.server"
import type { NewTimelineEvent } from "../orders/timeline.server"

/** When an order was covered, and how. */
export type Covered = {
  readonly at: Instant
  /** A payment was booked on the invoice in this transaction; otherwise account credit or the operator has covered the total. */
  readonly isSettled: boolean
}

/**
 * Turns what was paid for an order that does not apply any more into account credit, in the current transaction. `amount`: of the part
 * that does not apply, in minor units; missing: all of it. The order needs nothing more. Returns the timeline event, if something was
 * paid.
 */
export async function creditInstead(
  tx: DbContext,
  orderId: string,
  { at, isSettled, amount }: Covered & { readonly amount?: number },
): Promise<readonly NewTimelineEvent[]> {
  const invoice = await tx.db
    .selectFrom("invoices")
    .selectAll()
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow()
  const due = amount ?? invoice.total
  const minor = isSettled ? Math.max(0, Math.min(due, invoice.received - invoice.credited)) : due
  if (minor > 0) await moveAccountCredit(tx, invoice, { minor, cause: "late", at })
  await completeOrder(tx, orderId)
  return minor > 0 ? [{ kind: "part-credited", at, amount: money(minor, invoice.currency) }] : []
}
