import type { DocumentPage, DocumentSpan, TaxDocuments } from "~/billing/documents/tax-documents"
import {
  type DocumentBuyer,
  type IssuedDocument,
  type Proforma,
  proformaOf,
} from "~/domain/accounting/tax-document"
import { ERASED } from "../customers/erased-email.server"
import { type DbContext, guarded } from "../db/transaction.server"
import { order as orderById } from "../orders/orders.server"
import { paymentsOf, sellerIn } from "./seller-and-payments.server"

/** What the columns of a document do not say. The buyer's e-mail has a column of its own, so that erasing it needs no change here. */
export type StoredContent = Pick<
  IssuedDocument,
  | "suppliedOn"
  | "invoiceId"
  | "corrects"
  | "locale"
  | "place"
  | "seller"
  | "lines"
  | "reductions"
  | "payments"
  | "accounting"
> & { readonly buyer: Omit<DocumentBuyer, "email"> }

/** Creates the `TaxDocuments` port on the database. */
export function taxDocumentsOf(ctx: DbContext): TaxDocuments {
  return guarded<TaxDocuments>(ctx, {
    taxDocumentsOf: storedDocumentsOf,
    taxDocument: async (db, number) => {
      const row = await documents(db).where("tax_documents.number", "=", number).executeTakeFirst()
      return row ? documentIn(row) : null
    },
    proforma: proformaIn,
    taxDocumentNumbers: numbersOf,
    taxDocumentsIn: documentsIn,
  })
}

/** The documents of an order, in the order in which they were issued. */
export async function storedDocumentsOf(ctx: DbContext, orderId: string): Promise<readonly IssuedDocument[]> {
  const rows = await documents(ctx)
    .where("tax_documents.order_id", "=", orderId)
    .orderBy("tax_documents.position")
    .execute()
  return rows.map(documentIn)
}

async function proformaIn(ctx: DbContext, orderId: string): Promise<Proforma | null> {
  const { documents: policy } = ctx
  const order = policy ? await orderById(ctx, orderId) : null
  if (!policy || !order) return null
  // An open order has been paid in part at most: what has arrived is in the ledgers.
  const { placedAt: at, total } = order
  const payments = await paymentsOf(ctx, order, { gross: total.minor, at, isSettled: true })
  const issuer = { seller: sellerIn(ctx, policy), timeZone: policy.timeZone }
  const proforma = proformaOf(order, issuer, payments)
  if (!proforma || order.email !== ERASED) return proforma
  return { ...proforma, buyer: { ...proforma.buyer, email: null } }
}

async function numbersOf(
  { db }: DbContext,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (orderIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("tax_documents")
    .select(["order_id", "number"])
    .where("order_id", "in", orderIds)
    .orderBy("position")
    .execute()
  const orders = Map.groupBy(rows, ({ order_id }) => order_id)
  return new Map([...orders].map(([id, own]) => [id, own.map(({ number }) => number)]))
}

async function documentsIn(
  ctx: DbContext,
  { from, until }: DocumentSpan,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<DocumentPage> {
  const [day, number] = after?.split(" ") ?? []
  const rows = await documents(ctx)
    .where("issued_on", "<=", until)
    // One lower bound only: with the first day as well, SQLite scans all documents of that day for each page.
    .where(({ eb, refTuple, tuple }) =>
      after === null
        ? eb("issued_on", ">=", from)
        : eb(refTuple("issued_on", "number"), ">", tuple(day ?? "", number ?? "")),
    )
    .orderBy("issued_on")
    .orderBy("number")
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    documents: page.map(documentIn),
    next: rows.length > limit && last ? `${last.issued_on} ${last.number}` : null,
  }
}

function documents({ db }: DbContext) {
  return db
    .selectFrom("tax_documents")
    .innerJoin("orders", "orders.id", "tax_documents.order_id")
    .innerJoin("clients", "clients.id", "orders.client_id")
    .select(["number", "tax_documents.kind", "order_id", "issued_at", "issued_on"])
    .select(["tax_documents.currency", "content", "buyer_email", "clients.email"])
}

type DocumentRow = Awaited<ReturnType<ReturnType<typeof documents>["executeTakeFirstOrThrow"]>>

/** Documents from before the e-mail was kept with them have the one that the customer has now. */
function documentIn({ content, buyer_email, email, ...row }: DocumentRow): IssuedDocument {
  const { buyer, ...stored } = JSON.parse(content) as StoredContent
  return {
    kind: row.kind,
    number: row.number,
    issuedAt: Number(row.issued_at),
    issuedOn: row.issued_on,
    orderId: row.order_id,
    currency: row.currency,
    ...stored,
    buyer: { email: email === ERASED ? null : (buyer_email ?? email), ...buyer },
  }
}
