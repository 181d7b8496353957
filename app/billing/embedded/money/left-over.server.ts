import { sql } from "kysely"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money"
import { LATE_GRACE } from "~/domain/order"
import { givenUp } from "~/domain/order-status"
import { atOnce, type Books } from "../books.server"
import { tell } from "../orders/timeline.server"
import type { InvoiceRow } from "../schema/money-rows"
import { moveCredit } from "./customer-credit.server"

/**
 * Money that has come for orders which came to nothing, and did not pay them in time: see `Till.creditLeftOver`.
 * Each is a transaction of its own.
 */
export async function creditLeftOver(books: Books, now: Instant, most: number): Promise<number> {
  const invoices = await leftOver(books, now).limit(most).execute()
  for (const { id } of invoices) await atOnce(books, (inside) => credit(inside, id, now))
  return invoices.length
}

function leftOver({ db }: Books, now: Instant) {
  return (
    db
      .selectFrom("invoices")
      .innerJoin("orders", "orders.id", "invoices.order_id")
      .select("invoices.id")
      // In the words of the index: what has come to nothing is cancelled.
      .where(sql<boolean>`invoices.status = 'cancelled' and invoices.received > invoices.credited`)
      .where("orders.status", "in", givenUp)
      .where("orders.deadline", "<", now - LATE_GRACE)
  )
}

async function credit(books: Books, invoiceId: string, at: Instant): Promise<void> {
  const still = await leftOver(books, at).where("invoices.id", "=", invoiceId).executeTakeFirst()
  if (!still) return
  const invoice: InvoiceRow = await books.db
    .selectFrom("invoices")
    .selectAll()
    .where("id", "=", invoiceId)
    .executeTakeFirstOrThrow()
  const minor = invoice.received - invoice.credited
  await moveCredit(books, invoice, { minor, cause: "left", at })
  await tell(books, invoice.order_id, [{ kind: "credited", at, amount: money(minor, invoice.currency) }])
}
