import type { Instant } from "~/domain/calendar"
import { type Currency, type Money, money } from "~/domain/money"
import { Overtaken } from "../db/engines/database-errors.server"
import type { CreditCause, InvoiceRow } from "../db/schema/payment-rows"
import type { Books } from "../db/transaction.server"

type Invoice = Pick<InvoiceRow, "id" | "client_id" | "currency" | "credited">

/** Moves money from an invoice to its client's credit, or with a negative amount back, inside a transaction. */
export async function moveCredit(
  books: Books,
  invoice: Invoice,
  { minor, cause, at }: { minor: number; cause: CreditCause; at: Instant },
): Promise<void> {
  const { id, client_id, currency, credited } = invoice
  const { numUpdatedRows } = await books.db
    .updateTable("invoices")
    .set({ credited: credited + minor })
    .where("id", "=", id)
    .where("credited", "=", credited)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Overtaken(`Credit of invoice ${id}`)
  await books.db
    .insertInto("credit_movements")
    .values({ id: books.newId(), client_id, invoice_id: id, cause, amount: minor, currency, at })
    .execute()
  await addToBalance(books, { client_id, currency }, minor)
}

/** Pays an invoice from its client's credit, as far as that goes; answers how much that is, in minor units. */
export async function spendCredit(
  books: Books,
  invoice: Invoice & Pick<InvoiceRow, "total">,
  { most, at }: { most: number; at: Instant },
): Promise<number> {
  const balance = await creditIn(books, invoice.client_id, invoice.currency)
  const minor = Math.min(balance, invoice.total, most)
  if (minor <= 0) return 0
  await moveCredit(books, invoice, { minor: -minor, cause: "used", at })
  if ((await creditIn(books, invoice.client_id, invoice.currency)) < 0) {
    throw new Overtaken(`Credit of client ${invoice.client_id}`)
  }
  return minor
}

/** What a client may spend in a currency, in minor units. Below zero: what was refunded after he had spent it. */
async function creditIn({ db }: Books, clientId: string, currency: Currency): Promise<number> {
  const row = await db
    .selectFrom("credits")
    .select("balance")
    .where("client_id", "=", clientId)
    .where("currency", "=", currency)
    .executeTakeFirst()
  return Number(row?.balance ?? 0)
}

/** The same as far as he may use it: never below zero. */
export async function usableCredit(books: Books, clientId: string, currency: Currency): Promise<Money> {
  return money(Math.max(0, await creditIn(books, clientId, currency)), currency)
}

/** What a client has to his credit, one amount per currency. */
export async function creditOf({ db }: Books, clientId: string): Promise<readonly Money[]> {
  const rows = await db.selectFrom("credits").selectAll().where("client_id", "=", clientId).execute()
  return rows.map(({ balance, currency }) => money(Number(balance), currency))
}

async function addToBalance(
  { db }: Books,
  { client_id, currency }: Pick<Invoice, "client_id" | "currency">,
  minor: number,
): Promise<void> {
  await db
    .insertInto("credits")
    .values({ client_id, currency, balance: minor })
    .onConflict((conflict) =>
      conflict
        .columns(["client_id", "currency"])
        .doUpdateSet((row) => ({ balance: row("credits.balance", "+", row.ref("excluded.balance")) })),
    )
    .execute()
}
