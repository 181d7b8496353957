import type { LedgerEntry } from "~/billing/order-admin"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money"
import type { AttemptRow, InvoiceRow } from "../db/schema/payment-rows"
import type { DbContext } from "../db/transaction.server"

type Cause = { readonly attempt: AttemptRow; readonly invoice: InvoiceRow; readonly at: Instant }

/** Appends an entry to the ledger, in the current transaction. */
export async function insertLedgerEntry(
  ctx: DbContext,
  { amount, gateway, transactionId }: Omit<LedgerEntry, "bookedAt">,
  { attempt, invoice, at }: Cause,
): Promise<void> {
  await ctx.db
    .insertInto("payments")
    .values({
      id: ctx.newId(),
      invoice_id: invoice.id,
      client_id: invoice.client_id,
      attempt_id: attempt.id,
      gateway,
      amount: amount.minor,
      currency: amount.currency,
      transaction_id: transactionId,
      booked_at: at,
    })
    .execute()
}

/** Ledger entries of an order's invoice, oldest first. */
export async function ledgerEntriesOf({ db }: DbContext, orderId: string): Promise<readonly LedgerEntry[]> {
  const rows = await db
    .selectFrom("payments")
    .innerJoin("invoices", "invoices.id", "payments.invoice_id")
    .selectAll("payments")
    .where("invoices.order_id", "=", orderId)
    .orderBy("booked_at")
    .execute()
  return rows.map(({ amount, currency, gateway, transaction_id, booked_at }) => ({
    gateway,
    amount: money(amount, currency),
    transactionId: transaction_id,
    bookedAt: booked_at,
  }))
}
