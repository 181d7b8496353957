import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { type Money, money } from "~/domain/money"
import type { Books } from "../books.server"
import type { AttemptRow, InvoiceRow, PaymentRow } from "../schema/money-rows"

/** Money in the ledger: received for an invoice, or what of it went to the client's credit. */
export type Movement = {
  readonly account: PaymentRow["account"]
  readonly amount: Money
  readonly gateway: GatewayId
  readonly transactionId: string | null
}

type Cause = { readonly attempt: AttemptRow; readonly invoice: InvoiceRow; readonly at: Instant }

/** Adds movements to the ledger, and to the client's credit what went there. */
export async function writeMovements(
  books: Books,
  movements: readonly Movement[],
  { attempt, invoice, at }: Cause,
): Promise<void> {
  for (const { account, amount, gateway, transactionId } of movements) {
    await books.db
      .insertInto("payments")
      .values({
        ...{ id: books.newId(), account, invoice_id: invoice.id, client_id: invoice.client_id },
        ...{ attempt_id: attempt.id, gateway, amount: amount.minor, currency: amount.currency },
        ...{ transaction_id: transactionId, booked_at: at },
      })
      .execute()
    if (account === "credit") await addCredit(books, invoice.client_id, amount)
  }
}

/** The ledger of an order's invoice, oldest first. */
export async function movementsOf({ db }: Books, orderId: string): Promise<readonly Movement[]> {
  const rows = await db
    .selectFrom("payments")
    .innerJoin("invoices", "invoices.id", "payments.invoice_id")
    .selectAll("payments")
    .where("invoices.order_id", "=", orderId)
    .orderBy("booked_at")
    .execute()
  return rows.map(({ account, amount, currency, gateway, transaction_id }) => ({
    ...{ account, gateway, amount: money(amount, currency), transactionId: transaction_id },
  }))
}

/** What a client has to his credit, one amount per currency. */
export async function creditOf({ db }: Books, clientId: string): Promise<readonly Money[]> {
  const rows = await db.selectFrom("credits").selectAll().where("client_id", "=", clientId).execute()
  return rows.map(({ balance, currency }) => money(balance, currency))
}

async function addCredit({ db }: Books, clientId: string, { minor, currency }: Money): Promise<void> {
  await db
    .insertInto("credits")
    .values({ client_id: clientId, currency, balance: minor })
    .onConflict((conflict) =>
      conflict
        .columns(["client_id", "currency"])
        .doUpdateSet((row) => ({ balance: row("credits.balance", "+", row.ref("excluded.balance")) })),
    )
    .execute()
}
