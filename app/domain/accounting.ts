import type { Day } from "./calendar"
import type { Country } from "./country"
import type { Currency } from "./money"
import type { TaxedLine, TaxPlace } from "./tax"
import type { IssuedDocument } from "./tax-document"

/** What documents of one place, rate and currency come to, in minor units. Credit notes are taken off. */
export type TaxSum = {
  readonly country: Country
  readonly kind: TaxPlace["kind"]
  readonly basisPoints: number
  readonly currency: Currency
  readonly net: number
  readonly tax: number
  readonly gross: number
}

/** The lines of a document by rate, highest first. Amounts are positive, of a credit note too, as on the document. */
export function documentRates({ lines }: Pick<IssuedDocument, "lines">): readonly TaxedLine[] {
  const groups = [...Map.groupBy(lines, ({ basisPoints }) => basisPoints)]
  return groups
    .map(([basisPoints, group]) => ({
      basisPoints,
      net: total(group, ({ net }) => net),
      tax: total(group, ({ tax }) => tax),
      gross: total(group, ({ gross }) => gross),
    }))
    .toSorted((one, other) => other.basisPoints - one.basisPoints)
}

function total<T>(items: readonly T[], amountOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0)
}

/** Sums of documents by country, kind of place, rate and currency, in that order. */
export function taxSums(documents: readonly IssuedDocument[]): readonly TaxSum[] {
  return addedSums(documents.flatMap(sumsOfDocument))
}

function sumsOfDocument(document: IssuedDocument): readonly TaxSum[] {
  const { country, kind } = document.place
  const { currency } = document
  const sign = document.kind === "credit-note" ? -1 : 1
  return documentRates(document).map(({ basisPoints, net, tax, gross }) => ({
    country,
    kind,
    basisPoints,
    currency,
    net: sign * net,
    tax: sign * tax,
    gross: sign * gross,
  }))
}

/** Adds up sums of the same country, kind of place, rate and currency: those of several pages of documents are those of all. */
export function addedSums(sums: readonly TaxSum[]): readonly TaxSum[] {
  const groups = Map.groupBy(sums, ({ country, kind, basisPoints, currency }) =>
    [country, kind, basisPoints, currency].join(" "),
  )
  return [...groups.values()].map((group) => group.reduce(added)).toSorted(byPlace)
}

function added(one: TaxSum, other: TaxSum): TaxSum {
  return { ...one, net: one.net + other.net, tax: one.tax + other.tax, gross: one.gross + other.gross }
}

function byPlace(one: TaxSum, other: TaxSum): number {
  return (
    compared(one.country, other.country) ||
    compared(one.kind, other.kind) ||
    other.basisPoints - one.basisPoints ||
    compared(one.currency, other.currency)
  )
}

function compared(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
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
