import { type ExpressionBuilder, sql } from "kysely"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money"
import { LATE_PAYMENT_GRACE } from "~/domain/order"
import { unpaidFinalStatuses } from "~/domain/order-status"
import type { Tables } from "../db/schema/schema"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { moveCredit } from "./customer-credit.server"

/**
 * Money that has come for orders which came to nothing, and did not pay them in time: see `Till.creditLeftOver`.
 * Each is a transaction of its own.
 */
export async function creditUnappliedPayments(ctx: DbContext, now: Instant, limit: number): Promise<number> {
  const invoices = await leftOver(ctx, now).limit(limit).execute()
  for (const { id } of invoices) await inTransaction(ctx, (tx) => credit(tx, id, now))
  return invoices.length
}

/**
 * Looks through the index of such money alone, in its order, and asks for the order of each. Left to itself PostgreSQL
 * takes a third of all cancelled invoices for such and begins with the orders: it walks through all that were given up.
 */
function leftOver({ db }: DbContext, now: Instant) {
  return (
    db
      .selectFrom("invoices")
      .selectAll()
      // In the words of the index: what has come to nothing is cancelled.
      .where(sql<boolean>`status = 'cancelled' and received > credited`)
      .where(givenUpUntil, "<", now - LATE_PAYMENT_GRACE)
      .orderBy("order_id")
  )
}

/** Not a join, whose order would be PostgreSQL's to choose. */
function givenUpUntil({ selectFrom }: ExpressionBuilder<Tables, "invoices">) {
  return selectFrom("orders")
    .select("deadline")
    .whereRef("orders.id", "=", "invoices.order_id")
    .where("orders.status", "in", unpaidFinalStatuses)
}

async function credit(ctx: DbContext, invoiceId: string, at: Instant): Promise<void> {
  // What is left is read with whether any is: somebody else may make it credit in between.
  const invoice = await leftOver(ctx, at).where("id", "=", invoiceId).executeTakeFirst()
  if (!invoice) return
  const minor = invoice.received - invoice.credited
  await moveCredit(ctx, invoice, { minor, cause: "left", at })
  await appendTimelineEvents(ctx, invoice.order_id, [
    { kind: "credited", at, amount: money(minor, invoice.currency) },
  ])
}
