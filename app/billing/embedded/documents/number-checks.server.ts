import type { NewUpsell } from "~/billing/orders/new-order"
import { dayIn, MINUTE } from "~/domain/calendar"
import type { Business, NumberCheck } from "~/domain/customers/business"
import type { Order } from "~/domain/orders/order"
import { paidStatuses } from "~/domain/orders/order-status"
import { type OrderTax, taxAfterCheck } from "~/domain/orders/order-tax"
import { WriteConflictError } from "../db/engines/database-errors.server"
import { parseOrderTax } from "../db/stored-tax.server"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { completeJob, enqueueJob } from "../jobs/outbox.server"
import { order } from "../orders/orders.server"
import { recordTaxChanged } from "../webhooks/timeline-events.server"
import { replaceTaxedInvoice } from "./issue-documents.server"
import { taxOfSold } from "./sold-lines.server"

/** The register is asked again so long after the sale. */
const ASKED_AFTER = 5 * MINUTE

/** Has a number checked later that the register has not answered about. In the transaction that writes the order. */
export async function enqueueNumberCheck(
  ctx: DbContext,
  orderId: string,
  { buyer, at }: Pick<NewUpsell, "buyer" | "at">,
): Promise<void> {
  if (buyer?.business?.check.result !== "unanswered") return
  await enqueueJob(ctx, { topic: "tax-number", subject: orderId, at, due: at + ASKED_AFTER })
}

/** Stores the late answer about the number of an order's business: see `OrderRepository.recordNumberCheck`. */
export async function recordNumberCheck(
  ctx: DbContext,
  orderId: string,
  check: NumberCheck,
): Promise<Order | null> {
  return inTransaction(ctx, async (tx) => {
    const row = await tx.db
      .selectFrom("orders")
      .select(["id", "kind", "status", "tax", "client_id", "placed_at"])
      .where("id", "=", orderId)
      .executeTakeFirst()
    if (!row?.tax || !tx.tax?.rules) return null
    const day = dayIn(tx.tax.timeZone, row.placed_at)
    const tax = parseOrderTax(row.tax)
    const sold = paidStatuses.includes(row.status) ? await taxOfSold(tx, row, tax) : tax
    const after = taxAfterCheck(tx.tax.rules, tax, { check, day, sold })
    await storeTax(tx, orderId, { from: row.tax, to: after })
    await replaceTaxedInvoice(tx, { id: orderId, tax: after })
    await keepAnswer(tx, row.client_id, after.buyer.business)
    await completeJob(tx, { topic: "tax-number", subject: orderId })
    const checked = await order(tx, orderId)
    // An order that waits for its payment has the tax until then, and the event of its payment has none.
    if (!tax.correction && paidStatuses.includes(row.status)) await recordCorrection(tx, checked)
    return checked
  })
}

/** Throws `WriteConflictError` if another transaction has changed the tax in the meantime. */
async function storeTax(
  { db }: DbContext,
  orderId: string,
  { from, to }: { readonly from: string; readonly to: OrderTax },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("orders")
    .set({ tax: JSON.stringify(to), tax_corrected_at: to.correction?.at ?? null })
    .where("id", "=", orderId)
    .where("tax", "=", from)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new WriteConflictError(`Tax of order ${orderId}`)
}

async function recordCorrection(tx: DbContext, checked: Order | null): Promise<void> {
  if (checked?.tax?.correction) await recordTaxChanged(tx, checked.id, checked.tax.correction)
}

/** The account's later orders use the answer, if it still has this number. */
async function keepAnswer(
  { db }: DbContext,
  customerId: string,
  answered: Business | undefined,
): Promise<void> {
  const row = await db
    .selectFrom("clients")
    .select("business")
    .where("id", "=", customerId)
    .executeTakeFirst()
  const kept = row?.business ? (JSON.parse(row.business) as Business) : null
  if (!answered || kept?.taxNumber !== answered.taxNumber) return
  const business = JSON.stringify({ ...kept, check: answered.check })
  await db.updateTable("clients").set({ business }).where("id", "=", customerId).execute()
}
