import type { DocumentPolicy } from "~/billing/document-policy"
import type { Instant } from "~/domain/calendar"
import type { Order } from "~/domain/order"
import type { DocumentPayment } from "~/domain/tax-document"
import type { DbContext } from "../db/transaction.server"
import { usedAccountCredit } from "../payments/customer-credit.server"
import { ledgerEntriesOf } from "../payments/ledger.server"

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
  { id, total, received, credited }: Pick<Order, "id" | "total" | "received" | "credited">,
  { gross, at, isSettled }: Billed,
): Promise<readonly DocumentPayment[]> {
  const entries = await ledgerEntriesOf(ctx, id)
  const used = await usedAccountCredit(ctx, id)
  // What the document does not bill, of an order that the operator has marked as paid, was received elsewhere and credited.
  const elsewhere = isSettled ? 0 : total.minor - gross
  const given = credited.minor + used - elsewhere
  const known = [
    { by: "credit" as const, amount: used, at },
    ...entries.map(({ gateway, amount, bookedAt }) => ({ by: gateway, amount: amount.minor, at: bookedAt })),
  ]
  const booked = used + Math.max(0, received.minor - Math.max(0, given))
  const payments = firstOf(known, Math.min(gross, booked))
  const left = gross - payments.reduce((sum, { amount }) => sum + amount, 0)
  // What the operator has received elsewhere has no entry; what a tolerance forgives nobody has paid.
  return left > 0 && !isSettled ? [...payments, { by: "other", amount: left, at }] : payments
}

/** The first payments up to `limit` in total, in minor units; the last one is cut. */
function firstOf(known: readonly DocumentPayment[], limit: number): DocumentPayment[] {
  const payments: DocumentPayment[] = []
  let left = limit
  for (const payment of known) {
    const amount = Math.min(payment.amount, left)
    if (amount === 0) continue
    payments.push({ ...payment, amount })
    left -= amount
  }
  return payments
}
