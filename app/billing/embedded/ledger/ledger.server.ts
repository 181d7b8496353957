import type { LedgerEntry, OrderCreditMovement } from "~/billing/orders/order-admin"
import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import { outstanding } from "~/domain/orders/settlement"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { AttemptRow, InvoiceRow } from "../db/schema/payment-rows"
import type { DbContext } from "../db/transaction.server"
import { isRefundOnItsWay } from "./refund-on-its-way.server"

type Cause = { readonly attempt: AttemptRow; readonly invoice: InvoiceRow; readonly at: Instant }

/** Appends an entry of a gateway's payment to the ledger, in the current transaction. */
export async function insertLedgerEntry(
  ctx: DbContext,
  { amount, transactionId }: Pick<LedgerEntry, "amount" | "transactionId">,
  { attempt, invoice, at }: Cause,
): Promise<void> {
  await ctx.db
    .insertInto("payments")
    .values({
      id: ctx.newId(),
      invoice_id: invoice.id,
      client_id: invoice.client_id,
      attempt_id: attempt.id,
      gateway: attempt.gateway,
      amount: amount.minor,
      currency: amount.currency,
      transaction_id: transactionId,
      booked_at: at,
      part_placed_at: amount.minor === invoice.total ? null : invoice.created_at,
    })
    .execute()
}

/**
 * Appends what is due of an order, as received outside the gateways, in the current transaction that marks it as paid. Call it before the
 * order is fulfilled, by which money may become account credit. Throws `WriteConflictError` if a refund began meanwhile: an update that
 * changes nothing locks the invoice.
 */
export async function insertOutsidePayment(ctx: DbContext, orderId: string, at: Instant): Promise<void> {
  const { id, currency, ...invoice } = await ctx.db
    .updateTable("invoices")
    .set((row) => ({ received: row.ref("received") }))
    .where("order_id", "=", orderId)
    .returning(["id", "currency", "total", "received", "credited"])
    .executeTakeFirstOrThrow()
  if (await isRefundOnItsWay(ctx, orderId)) throw new WriteConflictError(`Refund of order ${orderId}`)
  const amount = outstanding({
    total: money(invoice.total, currency),
    received: money(invoice.received, currency),
    credited: money(invoice.credited, currency),
  })
  await insertOutsideEntry(ctx, id, { amount, at })
}

/** Appends money that has come outside the gateways, or, below zero, was paid back there, in the current transaction. */
export async function insertOutsideEntry(
  ctx: DbContext,
  invoiceId: string,
  { amount, at }: { readonly amount: Money; readonly at: Instant },
): Promise<void> {
  if (amount.minor === 0) return
  await ctx.db
    .insertInto("outside_payments")
    .values({
      id: ctx.newId(),
      invoice_id: invoiceId,
      amount: amount.minor,
      currency: amount.currency,
      booked_at: at,
    })
    .execute()
}

/** What was received outside the gateways for an order, in minor units; null: it has no entry, as those of earlier versions. */
export async function outsideReceived({ db }: DbContext, orderId: string): Promise<number | null> {
  const { received } = await db
    .selectFrom("outside_payments")
    .innerJoin("invoices", "invoices.id", "outside_payments.invoice_id")
    .select((row) => row.fn.sum<number | null>("outside_payments.amount").as("received"))
    .where("invoices.order_id", "=", orderId)
    .where("outside_payments.amount", ">", 0)
    .executeTakeFirstOrThrow()
  return received === null ? null : Number(received)
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
  const outside = await db
    .selectFrom("outside_payments")
    .innerJoin("invoices", "invoices.id", "outside_payments.invoice_id")
    .selectAll("outside_payments")
    .where("invoices.order_id", "=", orderId)
    .orderBy("booked_at")
    .execute()
  const entries = [...rows, ...outside.map((row) => ({ ...row, gateway: null, transaction_id: null }))]
  return entries
    .map(({ amount, currency, gateway, transaction_id, booked_at }) => ({
      gateway,
      amount: money(Number(amount), currency),
      transactionId: transaction_id,
      bookedAt: Number(booked_at),
    }))
    .toSorted((one, other) => one.bookedAt - other.bookedAt)
}

/** Account credit of an order, oldest first: see `OrderDetails.creditMovements`. */
export async function creditMovementsOf(
  { db }: DbContext,
  orderId: string,
): Promise<readonly OrderCreditMovement[]> {
  const rows = await db
    .selectFrom("credit_movements")
    .select(["id", "amount", "currency", "cause", "at"])
    .where(({ or, eb, selectFrom }) =>
      or([
        eb("invoice_id", "in", selectFrom("invoices").select("id").where("order_id", "=", orderId)),
        // What was received elsewhere and refunded as account credit comes from no invoice; its key is that of the refund.
        eb("grant_key", "in", selectFrom("order_refunds").select("id").where("order_id", "=", orderId)),
      ]),
    )
    .orderBy("at")
    .orderBy("id")
    .execute()
  return rows.map(({ amount, currency, cause, at }) => ({
    amount: money(Number(amount), currency),
    cause,
    at: Number(at),
  }))
}
