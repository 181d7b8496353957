import type { DocumentPolicy } from "~/billing/document-policy"
import type { Instant } from "~/domain/calendar"
import type { Order } from "~/domain/order"
import type { DocumentPayment } from "~/domain/tax-document"
import type { DbContext } from "../db/transaction.server"
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

/** How what a document bills of an order was paid. More than that is account credit, and not the document's. */
export async function paymentsOf(
  ctx: DbContext,
  { id, credited }: Pick<Order, "id" | "credited">,
  { gross, at, isSettled }: Billed,
): Promise<readonly DocumentPayment[]> {
  const entries = await ledgerEntriesOf(ctx, id)
  const used = Math.max(0, -credited.minor)
  const known = [
    { by: "credit" as const, amount: used, at },
    ...entries.map(({ gateway, amount, bookedAt }) => ({ by: gateway, amount: amount.minor, at: bookedAt })),
  ]
  let left = gross
  const payments: DocumentPayment[] = []
  for (const payment of known) {
    const amount = Math.min(payment.amount, left)
    if (amount === 0) continue
    payments.push({ by: payment.by, amount, at: payment.at })
    left -= amount
  }
  // What the operator has received elsewhere has no entry; what a tolerance forgives nobody has paid.
  return left > 0 && !isSettled ? [...payments, { by: "other", amount: left, at }] : payments
}
