import type { DocumentPolicy } from "~/billing/documents/document-policy"
import type { DocumentPayment } from "~/domain/accounting/tax-document"
import type { Instant } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import type { DbContext } from "../db/transaction.server"
import { usedAccountCredit } from "../ledger/customer-credit.server"
import { ledgerEntriesOf } from "../ledger/ledger.server"

/** Who sells: from the country that the rules tax by. */
export function sellerIn({ tax }: DbContext, { seller }: DocumentPolicy): DocumentPolicy["seller"] {
  return { ...seller, country: tax?.rules?.country ?? seller.country }
}

type Billed = {
  /** What the document comes to. */
  readonly gross: number
  readonly at: Instant
  /** See `issueInvoice`. */
  readonly isSettled: boolean
}

/**
 * How what a document bills of an order was paid. More than that is account credit, and not the document's; so is a payment that had
 * become account credit before.
 */
export async function paymentsOf(
  ctx: DbContext,
  order: Pick<Order, "id" | "total" | "received" | "credited">,
  billed: Billed,
): Promise<readonly DocumentPayment[]> {
  const { id, total, received, credited } = order
  const { gross, at, isSettled } = billed
  const entries = await ledgerEntriesOf(ctx, id)
  const used = await usedAccountCredit(ctx, id)
  // What the document does not bill, of an order that the operator has marked as paid, was received elsewhere and credited.
  const elsewhere = isSettled ? 0 : total.minor - gross
  const given = credited.minor + used - elsewhere
  const known = [
    { by: "credit" as const, amount: used, at },
    ...uncredited(
      entries.flatMap(({ gateway: by, amount, bookedAt }) =>
        by === null ? [] : [{ by, amount: amount.minor, at: bookedAt }],
      ),
      await creditedOf(ctx, id, billed),
    ),
  ]
  const booked = used + Math.max(0, received.minor - Math.max(0, given))
  const payments = firstOf(known, Math.min(gross, booked))
  const left = gross - payments.reduce((sum, { amount }) => sum + amount, 0)
  // The rest was received elsewhere, of which older orders have no entry; what a tolerance forgives nobody has paid.
  return left > 0 && !isSettled ? [...payments, { by: "other", amount: left, at }] : payments
}

type Credited = Pick<DocumentPayment, "amount" | "at">

/**
 * What of an order's payments has become account credit, oldest first; negative: what a refund has taken back of it. What the
 * operator has received elsewhere is no payment, nor is what of it becomes account credit with the order.
 */
async function creditedOf(
  { db }: DbContext,
  orderId: string,
  { at, isSettled }: Billed,
): Promise<readonly Credited[]> {
  const rows = await db
    .selectFrom("credit_movements")
    .innerJoin("invoices", "invoices.id", "credit_movements.invoice_id")
    .select(["credit_movements.amount", "credit_movements.at"])
    .where("invoices.order_id", "=", orderId)
    .where("credit_movements.cause", "in", ["surplus", "late", "left", "topup"])
    .$if(!isSettled, (query) => query.where("credit_movements.at", "<", at))
    .orderBy("credit_movements.at")
    .execute()
  return rows.map((row) => ({ amount: Number(row.amount), at: row.at }))
}

/** Payments without what has become account credit of them: each time the newest ones until then. */
function uncredited(
  payments: readonly DocumentPayment[],
  credited: readonly Credited[],
): readonly DocumentPayment[] {
  const left = payments.map((payment) => ({ ...payment }))
  for (const { amount, at } of credited) {
    let rest = amount
    const before = left.filter((it) => it.at <= at && it.amount > 0 === amount > 0)
    for (const payment of before.toReversed()) {
      const taken = amount > 0 ? Math.min(rest, payment.amount) : Math.max(rest, payment.amount)
      payment.amount -= taken
      rest -= taken
    }
  }
  return left
}

/** The first payments up to `limit` in total, in minor units; the last one is cut, and a refund of what was cut is none of them. */
function firstOf(known: readonly DocumentPayment[], limit: number): DocumentPayment[] {
  const payments: DocumentPayment[] = []
  let [left, cut] = [limit, 0]
  for (const payment of known) {
    const counted = payment.amount < 0 ? Math.min(0, payment.amount + cut) : payment.amount
    const amount = Math.min(counted, left)
    cut += payment.amount - amount
    if (amount === 0) continue
    payments.push({ ...payment, amount })
    left -= amount
  }
  return payments
}
