import { type Day, dayIn, type Instant } from "../calendar"
import type { QuoteLine } from "../catalogue/pricing"
import { buyerCountry, type Country } from "../customers/country"
import type { LocaleCode } from "../locales"
import type { Currency } from "../money/money"
import type { Order } from "../orders/order"
import { payableStatuses } from "../orders/order-status"
import type { OrderTax } from "../orders/order-tax"
import type { GatewayId } from "../payments/gateway-id"
import { divided, rounded, type TaxedLine, type TaxPlace } from "../tax/tax"
import type { AccountingTax } from "./accounting-tax"

/**
 * `invoice`: what a paid order has sold. `credit-note`: what a refund takes back of an invoice. `proforma`: what an unpaid order
 * will cost; it has no number and is never stored.
 */
export const taxDocumentKinds = ["invoice", "credit-note", "proforma"] as const
export type TaxDocumentKind = (typeof taxDocumentKinds)[number]

/** The kinds that are issued: numbered without gaps, stored and never changed. */
export type IssuedKind = Exclude<TaxDocumentKind, "proforma">

/** The most lines of an address of a seller. */
export const MAX_ADDRESS_LINES = 5

/** Who sells. `address`: its lines without the country. */
export type DocumentSeller = {
  /** Null: the operator has not said; the name of the shop has to do. */
  readonly name: string | null
  readonly address: readonly string[]
  readonly country: Country
  /** The number under which the tax of this sale is declared. Null: the sale is not taxed, or the seller has none. */
  readonly taxNumber: string | null
  readonly email: string | null
}

/** Who buys. Null: not known, as with consumers, of whom nothing but the e-mail is asked. */
export type DocumentBuyer = {
  /** Null: erased. */
  readonly email: string | null
  readonly country: Country
  readonly company: string | null
  readonly address: readonly string[]
  readonly taxNumber: string | null
}

/** How documents are numbered, and whose they are. */
export type DocumentSettings = {
  /** Who sells, but for the number of the tax, which the sale decides. */
  readonly seller: Omit<DocumentSeller, "taxNumber">
  /** What the numbers of each kind begin with. No two are equal. */
  readonly prefixes: Readonly<Record<IssuedKind, string>>
}

/** How documents are issued, and where. */
export type DocumentIssuer = Pick<DocumentSettings, "seller"> & {
  /** Time zone of the day of a document (IANA). */
  readonly timeZone: string
}

/**
 * What was sold, as the order has it. `text`: the name of the product or option; null: the line has none. `months`: of a renewal
 * or a change of plan. Amounts of a credit note are positive: its kind says that they are taken back.
 */
export type DocumentLine = TaxedLine & {
  readonly kind: QuoteLine["kind"]
  readonly text: string | null
  readonly quantity: number
  readonly months: number | null
}

/**
 * How an invoice was paid, or a credit note paid back, in minor units. `credit`: account credit. `set-off`: a credit note and the
 * invoice that is issued in its place pay each other.
 */
export type DocumentPayment = {
  readonly by: GatewayId | "credit" | "other" | "set-off"
  readonly amount: number
  readonly at: Instant
}

/** What has been taken off the prices of a sale before its tax, with the tax in it, in minor units. `name`: of the former plan. */
export type PriceReduction =
  | { readonly kind: "discount"; readonly code: string; readonly amount: number }
  | { readonly kind: "unusedTime"; readonly name: string; readonly amount: number }

/** A document of an order's tax: what it says is a snapshot that later changes of the shop, buyer and order do not touch. */
export type TaxDocument = {
  readonly kind: TaxDocumentKind
  /** Number in the series of its kind and year; null for a proforma. */
  readonly number: string | null
  readonly issuedAt: Instant
  /** The day in the shop's time zone; its year is that of the number. */
  readonly issuedOn: Day
  /** The day of the sale (of an invoice: when it was paid). */
  readonly suppliedOn: Day
  readonly orderId: string
  /** The order's own invoice id, by which gateways and mails know it. */
  readonly invoiceId: string
  /** The invoice that a credit note corrects. */
  readonly corrects: { readonly number: string; readonly issuedOn: Day } | null
  readonly locale: LocaleCode
  readonly currency: Currency
  readonly place: TaxPlace
  readonly seller: DocumentSeller
  readonly buyer: DocumentBuyer
  readonly lines: readonly DocumentLine[]
  /** What the lines have less than the prices; absent: nothing, or the document is older or corrects another. */
  readonly reductions?: readonly PriceReduction[] | undefined
  readonly payments: readonly DocumentPayment[]
  /** Absent: the tax is in the currency of the document alone, as on every document of an earlier version. */
  readonly accounting?: AccountingTax | undefined
}

/** A document with its number. */
export type IssuedDocument = TaxDocument & { readonly kind: IssuedKind; readonly number: string }

/** What an unpaid order will cost: made when it is read, and never stored. */
export type Proforma = TaxDocument & {
  readonly kind: "proforma"
  readonly number: null
  /** When the order ends if it is not paid. */
  readonly payableUntil: Instant
}

/** A document as it is shown. */
export type ShownDocument = IssuedDocument | Proforma

/** What a document says in sum, in minor units. */
export type DocumentSums = Pick<TaxedLine, "net" | "tax" | "gross">

/** The sums of a document's lines, in minor units. */
export function documentSums(lines: readonly DocumentSums[]): DocumentSums {
  return {
    net: sumOf(lines, "net"),
    tax: sumOf(lines, "tax"),
    gross: sumOf(lines, "gross"),
  }
}

/** The number of a document: `2026-000001` after its prefix. Past a million in a year it grows by a digit. */
export function documentNumber(prefix: string, year: number, sequence: number): string {
  return `${prefix}${year}-${String(sequence).padStart(6, "0")}`
}

/** What every document of a taxed order says of the sale and its parties, but for the buyer's e-mail. */
export function documentSale(
  { invoiceId, locale }: Pick<Order, "invoiceId" | "locale">,
  { place, buyer }: Pick<OrderTax, "place" | "buyer">,
  seller: DocumentSettings["seller"],
): Pick<TaxDocument, "invoiceId" | "locale" | "place" | "seller"> & {
  readonly buyer: Omit<DocumentBuyer, "email">
} {
  return {
    invoiceId,
    locale,
    place,
    seller: { ...seller, taxNumber: place.registration },
    buyer: {
      country: buyerCountry(buyer),
      company: buyer.business?.company ?? null,
      address: buyer.business?.address ?? [],
      taxNumber: buyer.business?.taxNumber ?? null,
    },
  }
}

/** Whether an order waits for its payment, and gets an invoice by it: one without tax gets none. */
export function isProformaOffered({ tax, status }: Pick<Order, "tax" | "status">): boolean {
  return Boolean(tax) && payableStatuses.includes(status)
}

/**
 * What an order that waits for its payment will cost, of the day it was placed: reading it again says the same. `payments`: what
 * has arrived of it already. Null for an order that cannot be paid, or has no tax: it gets no invoice either.
 */
export function proformaOf(
  order: Order,
  { seller, timeZone }: DocumentIssuer,
  payments: readonly DocumentPayment[],
): Proforma | null {
  const { tax, placedAt } = order
  if (!tax || !isProformaOffered(order)) return null
  const day = dayIn(timeZone, placedAt)
  const { buyer, ...sale } = documentSale(order, tax, seller)
  return {
    ...sale,
    kind: "proforma",
    number: null,
    issuedAt: placedAt,
    issuedOn: day,
    suppliedOn: day,
    orderId: order.id,
    corrects: null,
    currency: order.total.currency,
    buyer: { ...buyer, email: order.email },
    lines: invoiceLines(order.lines, tax),
    ...priceReductions(order.lines),
    payments,
    payableUntil: order.deadline,
  }
}

/** The lines of the invoice of an order: those that something is paid for, less their share of discounts. */
export function invoiceLines(lines: readonly QuoteLine[], tax: Pick<OrderTax, "lines">): DocumentLine[] {
  return tax.lines.flatMap(({ position, basisPoints, net, tax: ofLine, gross }) => {
    const line = lines[position]
    if (!line) return []
    return [
      {
        kind: line.kind,
        text: "name" in line ? line.name : null,
        quantity: "quantity" in line ? line.quantity : 1,
        months: "months" in line ? line.months : null,
        basisPoints,
        net,
        tax: ofLine,
        gross,
      },
    ]
  })
}

/** What an order has taken off its prices, as a document names it; nothing without any. */
export function priceReductions(lines: readonly QuoteLine[]): Pick<TaxDocument, "reductions"> {
  const reductions = lines.flatMap((line): PriceReduction[] => {
    const amount = -line.amount.minor
    if (amount <= 0) return []
    if (line.kind === "discount") return [{ kind: line.kind, code: line.code, amount }]
    return line.kind === "unusedTime" ? [{ kind: line.kind, name: line.name, amount }] : []
  })
  return reductions.length > 0 ? { reductions } : {}
}

/** `credit`: a refund takes money back. `again`: money comes that replaces what was taken back. */
export type Correction = { readonly kind: "credit" | "again"; readonly amount: number }

/**
 * The part of an invoice's lines that a correction is about. `credited`: by line, what credit notes have taken back less what was
 * invoiced again; `amount` is with tax, at most what is left to take back, or was taken back. Each line gives by what it has, by
 * largest remainder; its tax follows its gross amount, so that credit notes of the whole invoice have its net and tax on each line,
 * however many they are.
 */
export function correctedLines(
  lines: readonly DocumentLine[],
  credited: readonly number[],
  { kind, amount }: Correction,
): readonly DocumentLine[] {
  const has = lines.map(({ gross }, at) =>
    kind === "credit" ? gross - (credited[at] ?? 0) : (credited[at] ?? 0),
  )
  const sum = has.reduce((total, it) => total + it, 0)
  const shares = divided(
    amount,
    lines.map(({ basisPoints }, at) => {
      const of = has[at] ?? 0
      return { amount: of, basisPoints, of: BigInt(amount) * BigInt(of), over: BigInt(sum) }
    }),
  )
  return lines.map((line, at) => {
    const from = credited[at] ?? 0
    const gross = shares[at] ?? 0
    const to = kind === "credit" ? from + gross : from - gross
    const tax = Math.abs(taxUntil(line, to) - taxUntil(line, from))
    return { ...line, gross, tax, net: gross - tax }
  })
}

/**
 * The documents that stand for a sale today, the first of them the invoice that refunds correct. Usually all of an order; once its
 * tax was corrected (`linesWithoutTax`), the invoice that was issued in place of the first, and what follows it.
 */
export function currentDocuments<D extends Pick<TaxDocument, "kind" | "place">>(
  documents: readonly D[],
): readonly D[] {
  const [first] = documents
  const replacement = documents.findIndex(
    ({ kind, place }) => kind === "invoice" && place.kind !== first?.place.kind,
  )
  return replacement === -1 ? documents : documents.slice(replacement)
}

/** Whether another invoice stands in place of the first. */
export function isReplaced(documents: readonly Pick<TaxDocument, "kind" | "place">[]): boolean {
  return currentDocuments(documents).length < documents.length
}

/** What is left of an invoice, as the lines of one whose buyer owes the tax: the net amounts are what is paid. */
export function linesWithoutTax(lines: readonly DocumentLine[]): readonly DocumentLine[] {
  return lines.map((line) => ({ ...line, basisPoints: 0, tax: 0, gross: line.net }))
}

type Corrected = Pick<TaxDocument, "kind" | "place" | "lines" | "payments">

/**
 * The lines of payments for what had been paid back of an invoice before it was replaced, with their tax, which is owed back. `amounts`:
 * of each payment, in their order, in all at most `creditedBeforeReplacement`.
 */
export function linesPaidAgain(
  documents: readonly Corrected[],
  amounts: readonly number[],
): readonly (readonly DocumentLine[])[] {
  const lines = documents[0]?.lines ?? []
  let credited = creditedBeforeReplacement(documents)
  return amounts.map((amount) => {
    const paid = correctedLines(lines, credited, { kind: "again", amount })
    credited = credited.map((it, at) => it - (paid[at]?.gross ?? 0))
    return paid
  })
}

/** By line of an invoice that is replaced, or to be: what credit notes had taken back of it before, less what was invoiced again. */
export function creditedBeforeReplacement(documents: readonly Corrected[]): readonly number[] {
  if (!isReplaced(documents)) return creditedByLine(documents)
  const before = documents.slice(0, -currentDocuments(documents).length)
  // The last document before an invoice in its place takes back what was left, if anything was.
  return creditedByLine(startsPaidAgain(documents) ? before : before.slice(0, -1))
}

/** Whether the invoice in place of the first is for a payment: nothing was left of the first when its tax was corrected. */
function startsPaidAgain(documents: readonly Corrected[]): boolean {
  const [invoice] = currentDocuments(documents)
  return isReplaced(documents) && invoice?.payments.every(({ by }) => by !== "set-off") === true
}

/**
 * What stands of a sale today: the lines of its invoice, and what credit notes have taken back of each, less what was invoiced again.
 * `paidAgain`: see `TaxCorrection`; these payments were invoiced without the tax, after the invoice in place of the first, or by it.
 */
export function currentSale(
  documents: readonly Corrected[],
  paidAgain: readonly number[] = [],
): { readonly lines: readonly DocumentLine[]; readonly credited: readonly number[] } {
  const current = currentDocuments(documents)
  const own = startsPaidAgain(documents) ? 1 : 0
  const reinvoiced = linesPaidAgain(documents, paidAgain).map(linesWithoutTax).slice(own)
  return {
    lines: reinvoiced.reduce(joinedLines, current[0]?.lines ?? []),
    credited: creditedByLine(current).map((credited, at) =>
      reinvoiced.reduce((sum, lines) => sum + (lines[at]?.gross ?? 0), credited),
    ),
  }
}

/** The amounts of two documents of the same lines together. */
export function joinedLines(
  lines: readonly DocumentLine[],
  others: readonly DocumentLine[],
): readonly DocumentLine[] {
  return lines.map((line, at) => {
    const { net = 0, tax = 0, gross = 0 } = others[at] ?? {}
    return { ...line, net: line.net + net, tax: line.tax + tax, gross: line.gross + gross }
  })
}

type OwedTax = {
  /** What is owed back to the buyer, and what of it has been paid back, in minor units. */
  readonly back: number
  readonly repaid: number
  /** What credit notes have taken back of the invoice that stands. */
  readonly credited: number
  /** What had been paid back before the first invoice was replaced, and has not come again. */
  readonly before: number
}

/**
 * How a movement of money after a correction of tax divides: a refund first pays back the tax that is owed, which no document bills
 * any more, and then corrects the invoice; money that comes again goes the other way, and last replaces what had been paid back before
 * the correction. `minor`: signed. Returns the part that corrects the invoice, signed, what has been paid back of the tax then, and
 * the part that was paid back before.
 */
export function dividedByOwedTax(
  minor: number,
  { back, repaid, credited, before }: OwedTax,
): { readonly toInvoice: number; readonly repaid: number; readonly paidAgain: number } {
  if (minor < 0) {
    const toOwed = Math.min(-minor, back - repaid)
    return { toInvoice: minor + toOwed, repaid: repaid + toOwed, paidAgain: 0 }
  }
  const toInvoice = Math.min(minor, credited)
  const toOwed = Math.min(minor - toInvoice, repaid)
  return { toInvoice, repaid: repaid - toOwed, paidAgain: Math.min(minor - toInvoice - toOwed, before) }
}

/** By line of the first invoice: what credit notes have taken back less what was invoiced again. */
export function creditedByLine(documents: readonly Pick<Corrected, "kind" | "lines">[]): readonly number[] {
  const [first, ...later] = documents
  return (first?.lines ?? []).map((_, at) =>
    later.reduce(
      (sum, { kind, lines }) => sum + (kind === "credit-note" ? 1 : -1) * (lines[at]?.gross ?? 0),
      0,
    ),
  )
}

/** The tax in the first `gross` minor units of a line, rounded with half of one up. */
function taxUntil({ gross: whole, tax }: DocumentLine, gross: number): number {
  if (whole === 0) return 0
  return rounded(BigInt(tax) * BigInt(gross), BigInt(whole))
}

function sumOf(lines: readonly DocumentSums[], part: keyof DocumentSums): number {
  return lines.reduce((total, line) => total + line[part], 0)
}
