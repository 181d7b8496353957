import type { Country } from "../customers/country"
import type { Currency } from "../money/money"
import { taxByRate } from "../orders/order-tax"
import { type TaxRules, unionCountries } from "../tax/tax"
import { type Quarter, quarterOf, quarterText } from "./accounting"
import type { IssuedDocument } from "./tax-document"

/** The currency of the Union's one-stop-shop return. */
export const RETURN_CURRENCY: Currency = "EUR"

/** What was supplied to consumers of a member state at one rate, in minor units; negative if more was taken back. */
export type SupplyRow = {
  readonly country: Country
  readonly basisPoints: number
  readonly currency: Currency
  readonly net: number
  readonly tax: number
}

/**
 * What documents of the quarter change of supplies that an earlier return has declared, in minor units: below zero if credit notes have
 * taken back more than has been paid again.
 */
export type CorrectionRow = SupplyRow & {
  /** The quarter of that return. */
  readonly of: Quarter
}

/**
 * What a one-stop-shop return of a quarter asks for, by member state of consumption and rate (Council Implementing Regulation
 * (EU) 2020/194, annex III). Amounts in other currencies than the euro are listed in theirs: they are converted at the rate
 * that the European Central Bank has published for the last day of the quarter, which is the operator's to look up.
 */
export type OneStopShopReport = {
  readonly supplies: readonly SupplyRow[]
  readonly corrections: readonly CorrectionRow[]
}

/**
 * Whether a document's tax is declared in the one-stop-shop return: it is that of another member state than the seller's, in
 * which the seller has no registration of its own. Sales at home, to businesses and to countries that are not taxed are not.
 */
export function isOneStopShop(
  { place, seller }: Pick<IssuedDocument, "place" | "seller">,
  { registrations }: Pick<TaxRules, "registrations">,
): boolean {
  if (place.kind !== "taxed" || place.country === seller.country) return false
  if (!unionCountries.includes(place.country)) return false
  return !registrations.some(
    ({ country, number }) => country === place.country && number === place.registration,
  )
}

/** The report of a quarter on documents that were issued in it. Others of them are left out. */
export function oneStopShopReport(
  documents: readonly IssuedDocument[],
  rules: Pick<TaxRules, "registrations">,
  quarter: Quarter,
): OneStopShopReport {
  const rows = documents
    .filter((it) => isOneStopShop(it, rules) && isSame(quarterOf(it.issuedOn), quarter))
    .flatMap(rowsOf)
  return {
    supplies: summed(rows.filter(({ of }) => isSame(of, quarter)).map(({ of: _, ...supply }) => supply)),
    corrections: summed(rows.filter(({ of }) => !isSame(of, quarter))),
  }
}

/** Two reports of parts of the same quarter as one. */
export function joinedReports(one: OneStopShopReport, other: OneStopShopReport): OneStopShopReport {
  return {
    supplies: summed([...one.supplies, ...other.supplies]),
    corrections: summed([...one.corrections, ...other.corrections]),
  }
}

function isSame(one: Quarter, other: Quarter): boolean {
  return one.year === other.year && one.quarter === other.quarter
}

/**
 * What corrects an invoice, and an invoice of money that came again, belong to the quarter of the supply, in which the first invoice
 * was declared: it is issued on the day of supply.
 */
function rowsOf(document: IssuedDocument): readonly CorrectionRow[] {
  const { place, currency, suppliedOn } = document
  const sign = document.kind === "credit-note" ? -1 : 1
  return taxByRate(document).map(({ basisPoints, net, tax }) => ({
    country: place.country,
    basisPoints,
    currency,
    net: sign * net,
    tax: sign * tax,
    of: quarterOf(suppliedOn),
  }))
}

type Row = SupplyRow & { readonly of?: Quarter }

/** By quarter, country, currency, with the euro first, and rate, the highest first. */
function summed<R extends Row>(rows: readonly R[]): readonly R[] {
  const groups = Map.groupBy(rows, keyOf)
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, group]) => group.reduce(added))
}

function added<R extends Row>(one: R, other: R): R {
  return { ...one, net: one.net + other.net, tax: one.tax + other.tax }
}

function keyOf({ of, country, currency, basisPoints }: Row): string {
  const rate = String(10_000 - basisPoints).padStart(5, "0")
  const foreign = currency === RETURN_CURRENCY ? "" : currency
  return [of ? quarterText(of) : "", country, foreign, rate].join(" ")
}
