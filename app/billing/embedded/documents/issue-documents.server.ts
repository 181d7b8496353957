import type { DocumentPolicy } from "~/billing/documents/document-policy"
import { accountingTax, correctedAccountingTax } from "~/domain/accounting/accounting-tax"
import {
  type Correction,
  correctedLines,
  creditedBeforeReplacement,
  creditedByLine,
  currentDocuments,
  currentSale,
  type DocumentLine,
  type DocumentPayment,
  dividedByOwedTax,
  documentNumber,
  documentSale,
  documentSums,
  type IssuedDocument,
  type IssuedKind,
  invoiceLines,
  isReplaced,
  joinedLines,
  linesPaidAgain,
  linesWithoutTax,
  priceReductions,
} from "~/domain/accounting/tax-document"
import { dayIn, type Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { OrderTax, TaxCorrection } from "~/domain/orders/order-tax"
import { ERASED } from "../customers/erased-email.server"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { OrderRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { enqueueMail } from "../mail/enqueue-mail.server"
import { order as orderById } from "../orders/orders.server"
import { taxOfPaidOrder } from "../tax/tax-of-order.server"
import { paymentsOf, sellerIn } from "./seller-and-payments.server"
import { taxOfSold } from "./sold-lines.server"
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
  const placed = await orderById(ctx, id)
  if (!placed?.tax || (await storedDocumentsOf(ctx, id)).length > 0) return
  const order = { ...placed, tax: await taxOfPaidOrder(ctx, placed, placed.tax, at) }
  const lines = invoiceLines(order.lines, await taxOfSold(ctx, order, order.tax))
  if (lines.length === 0) return withdrawCorrection(ctx, order.id, order.tax)
  const { gross } = documentSums(lines)
  const payments = await paymentsOf(ctx, order, { gross, at, isSettled })
  const suppliedOn = dayIn(policy.timeZone, at)
  const accounting = accountingTax({ lines, currency: order.total.currency, suppliedOn }, ctx.tax?.accounting)
  await issue(
    ctx,
    { policy, order, tax: order.tax },
    {
      kind: "invoice",
      position: 0,
      at,
      suppliedOn,
      lines,
      ...priceReductions(order.lines),
      corrects: null,
      payments,
      accounting,
    },
  )
  // Its business was confirmed between the order and the payment.
  await replaceTaxedInvoice(ctx, order, at)
}

/** Of an order that sold nothing no tax is owed back, though its business was confirmed before the payment. */
async function withdrawCorrection({ db }: DbContext, id: string, tax: OrderTax): Promise<void> {
  if (!tax.correction) return
  await db
    .updateTable("orders")
    .set({ tax: JSON.stringify({ ...tax, correction: undefined }), tax_corrected_at: null })
    .where("id", "=", id)
    .execute()
}

/**
 * Replaces the invoice of an order whose business was confirmed after the sale: a credit note takes back what is left of it, and an
 * invoice without tax bills the net amounts in its place. A credit note of the tax alone is none of EN 16931, whose tax is always that
 * of a net amount (BR-S-09). Stores what is owed back, which is the tax that was left, with the order. Nothing without a correction
 * or an invoice, and once it was replaced. `at`: when the documents are issued, by default with the answer. In the transaction that
 * stores the answer or the payment, which has locked the order.
 */
export async function replaceTaxedInvoice(
  ctx: DbContext,
  { id, tax }: Pick<Order, "id" | "tax">,
  at = tax?.correction?.at,
): Promise<void> {
  const { documents: policy } = ctx
  if (!policy || !tax?.correction || at === undefined) return
  const issued = await storedDocumentsOf(ctx, id)
  const order = await orderById(ctx, id)
  const [invoice] = issued
  if (!order || !invoice || isReplaced(issued)) return
  await replace(ctx, { policy, order, tax }, { issued, invoice, correction: { ...tax.correction, at } })
}

type Replaced = {
  readonly issued: readonly IssuedDocument[]
  readonly invoice: IssuedDocument
  readonly correction: TaxCorrection
}

async function replace(
  ctx: DbContext,
  { policy, order, tax }: Sale,
  { issued, invoice, correction: { place, at } }: Replaced,
): Promise<void> {
  const credited = creditedByLine(issued)
  const left = documentSums(invoice.lines).gross - credited.reduce((sum, it) => sum + it, 0)
  const lines = correctedLines(invoice.lines, credited, { kind: "credit", amount: left })
  const back = documentSums(lines).tax
  const billed = linesWithoutTax(lines)
  const payments = [{ by: "set-off" as const, amount: documentSums(billed).gross, at }]
  const correction = { at, suppliedOn: invoice.suppliedOn, corrects: reference(invoice), payments }
  if (left > 0) {
    await issue(
      ctx,
      { policy, order, tax },
      {
        ...correction,
        kind: "credit-note",
        position: issued.length,
        lines,
        accounting: correctedAccountingTax(issued, { kind: "credit", lines }),
      },
    )
    await issue(
      ctx,
      { policy, order, tax: { ...tax, place } },
      { ...correction, kind: "invoice", position: issued.length + 1, lines: billed },
    )
  }
  await storeCorrection(ctx, order.id, { ...tax, correction: { place, at, back } })
  if (back > 0) await enqueueReplacedMail(ctx, order, { at, back })
}

async function enqueueReplacedMail(
  ctx: DbContext,
  { id, customerId, locale, total }: Order,
  { at, back }: { readonly at: Instant; readonly back: number },
): Promise<void> {
  await enqueueMail(ctx, {
    name: "invoice-replaced",
    onceKey: `invoice-replaced ${id}`,
    at,
    orderId: id,
    clientId: customerId,
    locale,
    amount: money(back, total.currency),
  })
}

async function storeCorrection({ db }: DbContext, id: string, tax: OrderTax): Promise<void> {
  await db
    .updateTable("orders")
    .set({ tax: JSON.stringify(tax) })
    .where("id", "=", id)
    .execute()
}

function reference({ number, issuedOn }: IssuedDocument): NonNullable<IssuedDocument["corrects"]> {
  return { number, issuedOn }
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
  const [invoice] = currentDocuments(issued)
  const order = invoice && (await orderById(ctx, id))
  if (!invoice || !order?.tax) return
  // Nothing was left of the invoice when its tax was corrected: none stands in its place.
  const isPaidBack = order.tax.correction !== undefined && !isReplaced(issued)
  const correct = isPaidBack ? invoicePaidAgain : correctCurrentSale
  await correct(ctx, { policy, order, tax: order.tax }, { issued, invoice, minor, payment })
}

type Corrected = {
  readonly issued: readonly IssuedDocument[]
  /** The one that stands. */
  readonly invoice: IssuedDocument
  readonly minor: number
  readonly payment: Omit<DocumentPayment, "amount">
}

async function correctCurrentSale(
  ctx: DbContext,
  { policy, order, tax }: Sale,
  { issued, invoice, minor, payment }: Corrected,
): Promise<void> {
  const sold = currentSale(issued, tax.correction?.paidAgain)
  const credited = totalOf(sold.credited)
  const { toInvoice, reinvoiced } = isReplaced(issued)
    ? await settleOwedTax(ctx, order, { minor, credited, issued })
    : { toInvoice: minor, reinvoiced: [] }
  const correction = correctionBy(toInvoice, { gross: documentSums(sold.lines).gross, credited })
  const lines = joinedLines(correctedLines(sold.lines, sold.credited, correction), reinvoiced)
  const { gross: amount } = documentSums(lines)
  if (amount === 0) return
  await issue(
    ctx,
    { policy, order, tax: { ...tax, place: invoice.place } },
    {
      ...(correction.kind === "credit"
        ? { kind: "credit-note", corrects: reference(invoice) }
        : { kind: "invoice", corrects: null }),
      position: issued.length,
      at: payment.at,
      suppliedOn: invoice.suppliedOn,
      lines,
      payments: [{ by: payment.by, at: payment.at, amount }],
      accounting: correctedAccountingTax(currentDocuments(issued), { kind: correction.kind, lines }),
    },
  )
}

/** Invoices money that comes again of an invoice that had been paid back whole before its tax was corrected: as it would be sold now. */
async function invoicePaidAgain(
  ctx: DbContext,
  { policy, order, tax }: Sale,
  { issued, invoice, minor, payment: { by, at } }: Corrected,
): Promise<void> {
  const { reinvoiced: lines } = await settleOwedTax(ctx, order, { minor, credited: 0, issued })
  const { gross: amount } = documentSums(lines)
  if (amount === 0) return
  await issue(
    ctx,
    { policy, order, tax: { ...tax, place: tax.correction?.place ?? tax.place } },
    {
      kind: "invoice",
      corrects: null,
      position: issued.length,
      at,
      suppliedOn: invoice.suppliedOn,
      lines,
      payments: [{ by, at, amount }],
    },
  )
}

type Movement = {
  readonly minor: number
  readonly credited: number
  readonly issued: readonly IssuedDocument[]
}

/**
 * Counts what a movement pays back of the tax that is owed (`dividedByOwedTax`), and what comes again of money that had been paid back
 * before the invoice was replaced: its tax is owed back, too. Returns the part that corrects the invoice, and the lines of a further
 * invoice, without tax.
 */
async function settleOwedTax(
  ctx: DbContext,
  { id, tax }: Order,
  { minor, credited, issued }: Movement,
): Promise<{ readonly toInvoice: number; readonly reinvoiced: readonly DocumentLine[] }> {
  if (!tax?.correction) return { toInvoice: minor, reinvoiced: [] }
  const { back, repaid = 0, paidAgain = [] } = tax.correction
  const before = totalOf(creditedBeforeReplacement(issued)) - totalOf(paidAgain)
  const divided = dividedByOwedTax(minor, { back, repaid, credited, before })
  const amounts = divided.paidAgain > 0 ? [...paidAgain, divided.paidAgain] : paidAgain
  const reinvoiced = linesPaidAgain(issued, amounts).slice(paidAgain.length).flat()
  if (divided.repaid !== repaid || divided.paidAgain > 0)
    await storeCorrection(ctx, id, {
      ...tax,
      correction: {
        ...tax.correction,
        back: back + documentSums(reinvoiced).tax,
        repaid: divided.repaid,
        ...(amounts.length > 0 && { paidAgain: amounts }),
      },
    })
  return { toInvoice: divided.toInvoice, reinvoiced: linesWithoutTax(reinvoiced) }
}

function totalOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
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

type Issue = Pick<
  StoredContent,
  "suppliedOn" | "lines" | "reductions" | "payments" | "corrects" | "accounting"
> & {
  readonly kind: IssuedKind
  /** Of the order's documents. */
  readonly position: number
  readonly at: Instant
}

async function issue(
  ctx: DbContext,
  { policy, order, tax }: Sale,
  { kind, position, at, suppliedOn, lines, reductions, payments, corrects, accounting }: Issue,
): Promise<void> {
  const day = dayIn(policy.timeZone, at)
  const year = Number(day.slice(0, 4))
  const sequence = await nextNumber(ctx, kind, year)
  const content: StoredContent = {
    ...documentSale(order, tax, sellerIn(ctx, policy)),
    suppliedOn,
    corrects,
    lines,
    ...(reductions && { reductions }),
    payments,
    ...(accounting && { accounting }),
  }
  const { net, tax: ofLines, gross } = documentSums(lines)
  const issued = await ctx.db
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
      buyer_email: order.email === ERASED ? null : order.email,
    })
    .onConflict((conflict) => conflict.columns(["order_id", "position"]).doNothing())
    .returning("number")
    .executeTakeFirst()
  // Another transaction has issued a document of the order: this one was reckoned without it.
  if (!issued) throw new WriteConflictError(`Document ${position} of order ${order.id}`)
}

/**
 * The next number of a kind and year. Its row is locked until the transaction ends: a number that is rolled back is drawn again, so
 * there are no gaps.
 */
async function nextNumber({ db }: DbContext, kind: IssuedKind, year: number): Promise<number> {
  const { last } = await db
    .insertInto("document_numbers")
    .values({ kind, year, last: 1, skipped: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "year"])
        .doUpdateSet((row) => ({ last: row("document_numbers.last", "+", 1) })),
    )
    .returning("last")
    .executeTakeFirstOrThrow()
  return Number(last)
}
