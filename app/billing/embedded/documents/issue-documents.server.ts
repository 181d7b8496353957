import type { DocumentPolicy } from "~/billing/document-policy"
import { dayIn, type Instant } from "~/domain/calendar"
import { buyerCountry } from "~/domain/country"
import type { Order } from "~/domain/order"
import type { OrderTax } from "~/domain/order-tax"
import {
  type Correction,
  correctedLines,
  creditedByLine,
  type DocumentPayment,
  documentNumber,
  documentSums,
  type IssuedKind,
  invoiceLines,
} from "~/domain/tax-document"
import type { OrderRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { order as orderById } from "../orders/orders.server"
import { ledgerEntriesOf } from "../payments/ledger.server"
import { type StoredContent, storedDocumentsOf } from "./tax-documents.server"

type TaxedOrder = Pick<OrderRow, "id" | "tax">

/**
 * Issues the invoice of an order that this transaction pays, once its money is booked. Nothing for an order without tax: earlier
 * ones, free ones, account credit, and those of an external billing. `isSettled`: a payment was booked; otherwise account credit
 * has covered the total, or the operator has received it elsewhere.
 */
export async function issueInvoice(
  ctx: DbContext,
  { id, tax }: TaxedOrder,
  { at, isSettled }: { readonly at: Instant; readonly isSettled: boolean },
): Promise<void> {
  const { documents: policy } = ctx
  if (!policy || tax === null) return
  const order = await orderById(ctx, id)
  if (!order?.tax || isCreditedWhole(order) || (await storedDocumentsOf(ctx, id)).length > 0) return
  const lines = invoiceLines(order.lines, order.tax)
  const payments = await paymentsOf(ctx, order, { at, isSettled })
  await issue(
    ctx,
    { policy, order, tax: order.tax },
    { kind: "invoice", position: 0, at, lines, corrects: null, payments },
  )
}

/** What was paid for an order that does not apply any more is account credit, whose use is taxed: nothing was sold. */
function isCreditedWhole({ total, credited, received }: Order): boolean {
  return credited.minor >= total.minor && received.minor <= credited.minor
}

/**
 * Issues what a movement of money after the payment asks for: a credit note for what a refund takes back of an invoice, an invoice
 * for money that replaces it. `minor`: signed, less what was account credit. Nothing for an order without an invoice.
 */
export async function correctInvoice(
  ctx: DbContext,
  { id, tax }: TaxedOrder,
  { minor, payment }: { readonly minor: number; readonly payment: Omit<DocumentPayment, "amount"> },
): Promise<void> {
  const { documents: policy } = ctx
  if (!policy || tax === null) return
  const issued = await storedDocumentsOf(ctx, id)
  const [invoice] = issued
  const order = invoice && (await orderById(ctx, id))
  if (!invoice || !order?.tax) return
  const credited = creditedByLine(issued)
  const correction = correctionBy(minor, {
    gross: documentSums(invoice.lines).gross,
    credited: credited.reduce((sum, it) => sum + it, 0),
  })
  if (correction.amount === 0) return
  const isCredit = correction.kind === "credit"
  await issue(
    ctx,
    { policy, order, tax: order.tax },
    {
      kind: isCredit ? "credit-note" : "invoice",
      position: issued.length,
      at: payment.at,
      lines: correctedLines(invoice.lines, credited, correction),
      corrects: isCredit ? { number: invoice.number, issuedOn: invoice.issuedOn } : null,
      payments: [{ by: payment.by, at: payment.at, amount: correction.amount }],
    },
  )
}

/** What a movement corrects: no more than the invoice has, or than was taken back of it. */
function correctionBy(
  minor: number,
  { gross, credited }: { readonly gross: number; readonly credited: number },
): Correction {
  return minor < 0
    ? { kind: "credit", amount: Math.min(-minor, gross - credited) }
    : { kind: "again", amount: Math.min(minor, credited) }
}

type Sale = { readonly policy: DocumentPolicy; readonly order: Order; readonly tax: OrderTax }

type Issue = Pick<StoredContent, "lines" | "payments" | "corrects"> & {
  readonly kind: IssuedKind
  /** Of the order's documents. */
  readonly position: number
  readonly at: Instant
}

async function issue(
  ctx: DbContext,
  { policy, order, tax }: Sale,
  { kind, position, at, lines, payments, corrects }: Issue,
): Promise<void> {
  const day = dayIn(policy.timeZone, at)
  const year = Number(day.slice(0, 4))
  const sequence = await nextNumber(ctx, kind, year)
  const content: StoredContent = {
    suppliedOn: day,
    invoiceId: order.invoiceId,
    corrects,
    locale: order.locale,
    place: tax.place,
    seller: {
      name: policy.seller.name,
      address: policy.seller.address,
      country: ctx.tax?.rules?.country ?? policy.seller.country,
      taxNumber: tax.place.registration,
      email: policy.seller.email,
    },
    buyer: {
      country: buyerCountry(tax.buyer),
      company: tax.buyer.business?.company ?? null,
      address: tax.buyer.business?.address ?? [],
      taxNumber: tax.buyer.business?.taxNumber ?? null,
    },
    lines,
    payments,
  }
  const { net, tax: ofLines, gross } = documentSums(lines)
  await ctx.db
    .insertInto("tax_documents")
    .values({
      number: documentNumber(policy.prefixes[kind], year, sequence),
      kind,
      year,
      sequence,
      order_id: order.id,
      position,
      issued_at: at,
      issued_on: day,
      currency: order.total.currency,
      country: tax.place.country,
      net,
      tax: ofLines,
      gross,
      corrects: corrects?.number ?? null,
      content: JSON.stringify(content),
    })
    .execute()
}

/**
 * The next number of a kind and year. Its row is locked until the transaction ends: a number that is rolled back is drawn again, so
 * there are no gaps.
 */
async function nextNumber({ db }: DbContext, kind: IssuedKind, year: number): Promise<number> {
  const { last } = await db
    .insertInto("document_numbers")
    .values({ kind, year, last: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "year"])
        .doUpdateSet((row) => ({ last: row("document_numbers.last", "+", 1) })),
    )
    .returning("last")
    .executeTakeFirstOrThrow()
  return Number(last)
}

/** How an order was paid. More than its total is account credit, and not the invoice's. */
async function paymentsOf(
  ctx: DbContext,
  { id, total, credited }: Order,
  { at, isSettled }: { readonly at: Instant; readonly isSettled: boolean },
): Promise<readonly DocumentPayment[]> {
  const entries = await ledgerEntriesOf(ctx, id)
  const used = Math.max(0, -credited.minor)
  const known = [
    { by: "credit" as const, amount: used, at },
    ...entries.map(({ gateway, amount, bookedAt }) => ({ by: gateway, amount: amount.minor, at: bookedAt })),
  ]
  let left = total.minor
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
