import { type ExpressionBuilder, sql } from "kysely"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { LATE_PAYMENT_GRACE } from "~/domain/orders/order"
import { unpaidFinalStatuses } from "~/domain/orders/order-status"
import type { Tables } from "../db/schema/schema"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { moveAccountCredit } from "../ledger/customer-credit.server"
import { isBeingPaidBack } from "../ledger/refund-on-its-way.server"
import { appendTimelineEvents } from "../orders/timeline.server"

/**
 * Turns unapplied payments into account credit, one transaction per invoice: see
 * `PaymentRepository.creditUnappliedPayments`.
 */
export async function creditUnappliedPayments(ctx: DbContext, now: Instant, limit: number): Promise<number> {
  if (ctx.isCreditExternal) return 0
  const invoices = await leftOver(ctx, now).limit(limit).execute()
  for (const { id } of invoices) await inTransaction(ctx, (tx) => credit(tx, id, now))
  return invoices.length
}

/**
 * Scans the partial index of invoices with unapplied payments in index order and looks up each order by a subquery.
 * With a join PostgreSQL estimates that a third of all cancelled invoices match, starts with the orders and scans
 * every cancelled and expired one.
 */
function leftOver({ db }: DbContext, now: Instant) {
  return (
    db
      .selectFrom("invoices")
      .selectAll()
      // The literal condition of the partial index. Invoices of orders in an unpaid final status are cancelled.
      .where(sql<boolean>`status = 'cancelled' and received > credited`)
      .where(givenUpUntil, "<", now - LATE_PAYMENT_GRACE)
      .where((row) => row.not(isBeingPaidBack(row)))
      .orderBy("order_id")
  )
}

/** Deadline of the order, if it is in an unpaid final status. A subquery, because PostgreSQL reorders joins. */
function givenUpUntil({ selectFrom }: ExpressionBuilder<Tables, "invoices">) {
  return selectFrom("orders")
    .select("deadline")
    .whereRef("orders.id", "=", "invoices.order_id")
    .where("orders.status", "in", unpaidFinalStatuses)
}

async function credit(ctx: DbContext, invoiceId: string, at: Instant): Promise<void> {
  // An update that changes nothing locks the invoice. The amount is read again then: another instance may have credited it since,
  // or the gateway paid it back.
  await ctx.db
    .updateTable("invoices")
    .set((row) => ({ received: row.ref("received") }))
    .where("id", "=", invoiceId)
    .execute()
  const invoice = await leftOver(ctx, at).where("id", "=", invoiceId).executeTakeFirst()
  if (!invoice) return
  const minor = invoice.received - invoice.credited
  await moveAccountCredit(ctx, invoice, { minor, cause: "left", at })
  await appendTimelineEvents(ctx, invoice.order_id, [
    { kind: "part-credited", at, amount: money(minor, invoice.currency) },
  ])
}
