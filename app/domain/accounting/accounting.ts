import type { Day } from "../calendar"
import type { Country } from "../customers/country"
import { type Currency, type Money, money } from "../money/money"
import { taxByRate } from "../orders/order-tax"
import type { AccountingCurrency } from "../tax/exchange-rate"
import type { TaxPlace } from "../tax/tax"
import type { AccountingSum } from "./accounting-tax"
import { documentSums, type IssuedDocument } from "./tax-document"

/** What documents of one place, rate and currency come to, in minor units. Credit notes are taken off. */
export type TaxSum = {
  readonly country: Country
  readonly kind: TaxPlace["kind"]
  readonly basisPoints: number
  readonly currency: Currency
  readonly net: number
  readonly tax: number
  readonly gross: number
  /** Net and tax as the documents state them in the seller's accounting currency; null: they do not. */
  readonly accounting: AccountingTaxSum | null
}

type AccountingTaxSum = Omit<AccountingSum, "basisPoints"> & { readonly currency: AccountingCurrency }

/** What a document states in the accounting currency at a rate, negative in a credit note. Null: it does not. */
export function signedAccountingSum(
  { kind, accounting }: Pick<IssuedDocument, "kind" | "accounting">,
  basisPoints: number,
): AccountingTaxSum | null {
  const sum = accounting?.sums.find((it) => it.basisPoints === basisPoints)
  if (!accounting || !sum) return null
  // Zero has no sign.
  const signed = (minor: number) => (kind === "credit-note" ? 0 - minor : minor)
  return { currency: accounting.currency, net: signed(sum.net), tax: signed(sum.tax) }
}

/** Sums of documents by country, kind of place, rate and currency, in that order; those in the accounting currency apart from others. */
export function taxSums(documents: readonly IssuedDocument[]): readonly TaxSum[] {
  return addedSums(documents.flatMap(sumsOfDocument))
}

function sumsOfDocument(document: IssuedDocument): readonly TaxSum[] {
  const { country, kind } = document.place
  const { currency } = document
  const sign = document.kind === "credit-note" ? -1 : 1
  return taxByRate(document).map(({ basisPoints, net, tax, gross }) => ({
    country,
    kind,
    basisPoints,
    currency,
    net: sign * net,
    tax: sign * tax,
    gross: sign * gross,
    accounting: signedAccountingSum(document, basisPoints),
  }))
}

/** Adds up sums of the same country, kind of place, rate and currency: those of several pages of documents are those of all. */
export function addedSums(sums: readonly TaxSum[]): readonly TaxSum[] {
  const groups = Map.groupBy(sums, taxSumKey)
  return [...groups.values()].map((group) => group.reduce(added)).toSorted(byPlace)
}

/** What tells one sum from another. */
export function taxSumKey({ country, kind, basisPoints, currency, accounting }: TaxSum): string {
  return [country, kind, basisPoints, currency, accounting?.currency ?? ""].join(" ")
}

function added(one: TaxSum, other: TaxSum): TaxSum {
  return {
    ...amountsAdded(one, other),
    gross: one.gross + other.gross,
    accounting: accountingAdded(one, other),
  }
}

function amountsAdded<T extends Pick<TaxSum, "net" | "tax">>(one: T, other: T): T {
  return { ...one, net: one.net + other.net, tax: one.tax + other.tax }
}

function accountingAdded({ accounting: one }: TaxSum, { accounting: other }: TaxSum): TaxSum["accounting"] {
  return one && other ? amountsAdded(one, other) : one
}

/** What the sums of a currency come to. */
export type TaxTotal = Omit<TaxSum, "country" | "kind" | "basisPoints">

/** Totals by currency, of those with more than one sum. `accounting`: of the sums that have it, if in one currency. */
export function taxTotals(sums: readonly TaxSum[]): readonly TaxTotal[] {
  const groups = [...Map.groupBy(sums, ({ currency }) => currency)].filter(([, group]) => group.length > 1)
  return groups
    .toSorted(([one], [other]) => compared(one, other))
    .map(([currency, group]) => ({
      currency,
      ...documentSums(group),
      accounting: accountingTotal(group),
    }))
}

function accountingTotal(sums: readonly TaxSum[]): TaxSum["accounting"] {
  const [first, ...others] = sums.flatMap(({ accounting }) => accounting ?? [])
  if (!first || others.some(({ currency }) => currency !== first.currency)) return null
  return others.reduce(amountsAdded, first)
}

function byPlace(one: TaxSum, other: TaxSum): number {
  return (
    compared(one.country, other.country) ||
    compared(one.kind, other.kind) ||
    other.basisPoints - one.basisPoints ||
    compared(one.currency, other.currency) ||
    compared(one.accounting?.currency ?? "", other.accounting?.currency ?? "")
  )
}

function compared(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

type Moved = { readonly kind: "payment" | "refund" | "credit"; readonly amount: Money }

/**
 * By currency with more than one movement: payments and refunds, without what became account credit and with what was used of it. Invoices
 * less credit notes come to it where all sales have them, but for what a gateway's tolerance forgives and for tax that is owed back.
 */
export function moneyTotals(moved: readonly Moved[]): readonly Money[] {
  const groups = [...Map.groupBy(moved, ({ amount }) => amount.currency)].filter(
    ([, group]) => group.length > 1,
  )
  return groups
    .toSorted(([one], [other]) => compared(one, other))
    .map(([currency, group]) =>
      money(
        group.map(withoutCredit).reduce((sum, it) => sum + it),
        currency,
      ),
    )
}

function withoutCredit({ kind, amount }: Moved): number {
  return kind === "credit" ? -amount.minor : amount.minor
}

/** A calendar quarter: the last quarter of 2026 is `{ year: 2026, quarter: 4 }`. */
export type Quarter = { readonly year: number; readonly quarter: number }

/** The quarter of a day. */
export function quarterOf(day: Day): Quarter {
  return { year: Number(day.slice(0, 4)), quarter: Math.ceil(Number(day.slice(5, 7)) / 3) }
}

/** "2026-Q4". */
export function quarterText({ year, quarter }: Quarter): string {
  return `${year}-Q${quarter}`
}

/** Parses "2026-Q4". Null if the text is none. */
export function quarterIn(text: string): Quarter | null {
  const [, year, quarter] = /^(\d{4})-Q([1-4])$/.exec(text) ?? []
  return year && quarter ? { year: Number(year), quarter: Number(quarter) } : null
}

/** The first and the last day of a quarter. */
export function daysOfQuarter({ year, quarter }: Quarter): { readonly from: Day; readonly until: Day } {
  const first = quarter * 3 - 2
  return { from: monthOf(year, first).from, until: monthOf(year, first + 2).until }
}

/** The first and the last day of a month, whose number begins with 1. */
export function monthOf(year: number, month: number): { readonly from: Day; readonly until: Day } {
  const dayOf = (nextMonth: number, day: number) =>
    new Date(Date.UTC(year, nextMonth - 1, day)).toISOString().slice(0, 10)
  return { from: dayOf(month, 1), until: dayOf(month + 1, 0) }
}
