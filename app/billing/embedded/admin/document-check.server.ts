import { type ExpressionBuilder, sql } from "kysely"
import type { Diagnostic } from "~/billing/diagnostic"
import { type Disagreement, disagreementIn, type OrderAccounts } from "~/domain/accounting/document-check"
import { isReplaced } from "~/domain/accounting/tax-document"
import { money, toDecimal } from "~/domain/money/money"
import { type OrderTax, taxOwedBack } from "~/domain/orders/order-tax"
import type { Tables } from "../db/schema/schema"
import { parseOrderTax } from "../db/stored-tax.server"
import type { DbContext } from "../db/transaction.server"
import { storedDocumentsOf } from "../documents/tax-documents.server"

/** So many documents are named; the operator mends them, and asks again. */
const NAMED = 5
const AT_ONCE = 200

/** Checks invoices and credit notes against the ledgers, and names the first that do not agree. */
export async function diagnoseDocuments(ctx: DbContext): Promise<Diagnostic> {
  const wrong = await disagreements(ctx)
  const more = wrong.length > NAMED ? " and more" : ""
  return {
    ok: wrong.length === 0,
    check: "invoices and ledgers",
    message:
      wrong.length === 0
        ? "invoices less credit notes are what the ledgers have"
        : `not as the ledgers have it: ${wrong.slice(0, NAMED).map(textOf).join("; ")}${more}`,
  }
}

function textOf({ number, orderId, currency, documents, ledgers }: Disagreement): string {
  const [has, wants] = [documents, ledgers].map((minor) => toDecimal(money(minor, currency)))
  return `${number} of order ${orderId}: ${has} ${currency}, ledgers ${wants} ${currency}`
}

/** The first orders whose documents do not agree with the ledgers, one more than are named. */
async function disagreements(ctx: DbContext): Promise<readonly Disagreement[]> {
  const found: Disagreement[] = []
  for await (const order of allSuspects(ctx)) {
    const documents = await storedDocumentsOf(ctx, order.orderId)
    // The tax that is owed back is billed by no document only once the taxed invoice was replaced.
    const owedBack = isReplaced(documents) && order.tax ? taxOwedBack(order.tax) : 0
    const disagreement = disagreementIn({ ...order, owedBack, documents })
    if (disagreement) found.push(disagreement)
    if (found.length > NAMED) break
  }
  return found
}

type Suspect = Omit<OrderAccounts, "documents" | "owedBack"> & { readonly tax: OrderTax | null }

async function* allSuspects(ctx: DbContext): AsyncGenerator<Suspect> {
  let after: string | undefined = ""
  while (after !== undefined) {
    const orders: readonly Suspect[] = await suspects(ctx, after)
    yield* orders
    after = orders.length < AT_ONCE ? undefined : orders.at(-1)?.orderId
  }
}

/** Orders whose documents do not come to what the gateways and account credit have paid: the operator may have received the rest. */
async function suspects({ db }: DbContext, after: string): Promise<readonly Suspect[]> {
  const documents = sql<number>`sum(case tax_documents.kind when 'credit-note' then -gross else gross end)`
  const rows = await db
    .selectFrom("tax_documents")
    .innerJoin("invoices", "invoices.order_id", "tax_documents.order_id")
    .innerJoin("orders", "orders.id", "tax_documents.order_id")
    .select(["tax_documents.order_id", "invoices.currency", "invoices.received", "invoices.credited"])
    .select(["invoices.total", "orders.tax"])
    .select(({ selectFrom }) => {
      const refunded = selectFrom("order_refunds")
        .select((of) => of.fn.sum<number | null>("outside").as("outside"))
        .whereRef("order_refunds.order_id", "=", "tax_documents.order_id")
      return [
        refunded.as("refunded_elsewhere"),
        refunded.where("target", "=", "credit").as("given_elsewhere"),
        outsideEntries(selectFrom)
          .select((of) => of.fn.sum<number | null>("amount").as("amount"))
          .as("outside"),
        // What was paid back alone is of an order that an earlier version has marked.
        outsideEntries(selectFrom)
          .select((of) => of.fn.max<number | null>("amount").as("amount"))
          .as("outside_received"),
      ]
    })
    .where("tax_documents.order_id", ">", after)
    .groupBy(["tax_documents.order_id", "invoices.currency", "invoices.received", "invoices.credited"])
    .groupBy(["invoices.total", "orders.tax", "invoices.id"])
    .having(documents, "!=", sql<number>`invoices.received - invoices.credited`)
    .orderBy("tax_documents.order_id")
    .limit(AT_ONCE)
    .execute()
  return rows.map(({ order_id, currency, tax, ...row }) => ({
    orderId: order_id,
    currency,
    total: Number(row.total),
    received: Number(row.received),
    credited: Number(row.credited),
    outside: Number(row.outside_received ?? 0) > 0 ? Number(row.outside) : null,
    refundedElsewhere: Number(row.refunded_elsewhere ?? 0),
    givenElsewhere: Number(row.given_elsewhere ?? 0),
    tax: parseOrderTax(tax),
  }))
}

function outsideEntries(selectFrom: ExpressionBuilder<Tables, "invoices">["selectFrom"]) {
  return selectFrom("outside_payments").whereRef("outside_payments.invoice_id", "=", "invoices.id")
}
