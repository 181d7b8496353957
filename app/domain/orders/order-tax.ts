import type { Day, Instant } from "../calendar"
import type { Quote, QuoteLine } from "../catalogue/pricing"
import type { NumberCheck } from "../customers/business"
import { type BuyerPlace, buyerCountry } from "../customers/country"
import {
  STANDARD,
  type TaxedBuyer,
  type TaxedLine,
  type TaxPlace,
  type TaxRules,
  taxLines,
  taxPlace,
  taxRate,
} from "../tax/tax"
import { isConfirmedBusiness } from "../tax/tax-number"
import { type OrderStatus, paidStatuses } from "./order-status"

/**
 * The tax of an order as it was placed. It never changes, but for a rate that changes before the order is paid, and for a late answer
 * about the number of its business.
 */
export type OrderTax = {
  readonly place: TaxPlace
  readonly buyer: BuyerPlace
  /** The lines that something is paid for, by their position in the order, less their share of discounts. */
  readonly lines: readonly (TaxedLine & { readonly position: number })[]
  /** The number of the business that bought was confirmed after the sale; absent: it was not, or made no difference. */
  readonly correction?: TaxCorrection | undefined
}

/**
 * Tax within a total, in minor units, and its rate. The rate of an external billing system may have a fraction of a basis point
 * (8.875 %). Null: that system has named none, as with several rates.
 */
export type TaxAtRate = { readonly basisPoints: number | null; readonly amount: number }

/** Tax as it is told of an order: our own, or as the invoice of an external billing system states it. */
export type KnownTax = {
  readonly tax?: OrderTax | null | undefined
  readonly externalTax?: readonly TaxAtRate[] | undefined
}

/**
 * `place`: whose tax the sale would have had. `back`: the tax that is owed back to the buyer, in minor units. `repaid`: what of it
 * refunds have paid back, where documents were corrected; absent: nothing yet, or none were. `paidAgain`: payments, in their
 * order, of what had been paid back before the invoice was replaced, with the tax; absent: none.
 */
export type TaxCorrection = {
  readonly place: TaxPlace
  readonly back: number
  readonly at: Instant
  readonly repaid?: number
  readonly paidAgain?: readonly number[]
}

export type Sale = {
  readonly buyer: BuyerPlace
  /** The day by the shop's calendar. */
  readonly day: Day
  /** The product that options without one of their own are of. */
  readonly productId?: string | null | undefined
}

/**
 * The tax within the prices of a quote, which are without it already for a business that owes it itself (`rateTakenOff`). Null:
 * there is none to tell, since nothing is paid, or account credit is bought: that is money, whose use is taxed. Options have the
 * rate of their plan.
 */
export function orderTax(rules: TaxRules, { lines, total }: Quote, sale: Sale): OrderTax | null {
  if (total.minor === 0 || lines.some(isMoney)) return null
  const place = taxPlace(rules, taxedBuyer(sale.buyer), sale.day)
  const paid = lines.flatMap((line, position) => (line.amount.minor > 0 ? [{ line, position }] : []))
  const off = lines.reduce((sum, { amount }) => sum + Math.max(0, -amount.minor), 0)
  const main = mainProduct(lines, sale.productId)
  const rateOf = (line: QuoteLine) => lineRate(rules, place, { ...sale, productId: productOf(line) ?? main })
  const taxed = taxLines(
    paid.map(({ line }) => ({ amount: line.amount.minor, basisPoints: rateOf(line) })),
    { discount: off, prices: "inclusive" },
  )
  return {
    place,
    buyer: sale.buyer,
    lines: taxed.map((line, at) => ({ ...line, position: paid[at]?.position ?? at })),
  }
}

type PaidLater = {
  readonly placedOn: Day
  readonly paidOn: Day
  /** The product that options without one of their own are of. */
  readonly productId: string | null
}

/**
 * The tax of an order at the rates of the day on which it is paid, which is that of the sale, within the amounts that were ordered. A
 * line keeps its rate where the rules have no other for that day, or had another for the day of the order: they were changed in
 * hindsight then.
 */
export function taxWhenPaid(
  rules: TaxRules,
  { lines, tax }: { readonly lines: readonly QuoteLine[]; readonly tax: OrderTax },
  { placedOn, paidOn, productId }: PaidLater,
): OrderTax {
  const main = mainProduct(lines, productId)
  const rateOn = (day: Day, position: number) => {
    const line = lines[position]
    const own = (line && productOf(line)) ?? main
    return knownRate(rules, tax.place, { buyer: tax.buyer, day, productId: own })
  }
  const rates = tax.lines.map(({ basisPoints, position }) =>
    rateOn(placedOn, position) === basisPoints ? (rateOn(paidOn, position) ?? basisPoints) : basisPoints,
  )
  if (tax.lines.every(({ basisPoints }, at) => basisPoints === rates[at])) return tax
  const taxed = taxLines(
    tax.lines.map(({ gross, basisPoints }, at) => ({
      amount: gross,
      basisPoints: rates[at] ?? basisPoints,
    })),
    { discount: 0, prices: "inclusive" },
  )
  return { ...tax, lines: tax.lines.map((line, at) => ({ ...line, ...taxed[at] })) }
}

function mainProduct(lines: readonly QuoteLine[], productId: string | null | undefined): string | null {
  return lines.map(productOf).find((it) => it !== null) ?? productId ?? null
}

function taxedBuyer(buyer: BuyerPlace): TaxedBuyer {
  const country = buyerCountry(buyer)
  return { country, business: isConfirmedBusiness(buyer.business, country) }
}

/**
 * The rate of the tax that is taken off a product's price for a buyer, in basis points: that which a consumer in their country
 * pays, if they owe the tax themselves as a business. 0 for everybody else, who pays the whole price.
 */
export function rateTakenOff(
  rules: TaxRules,
  productId: string | null,
  { buyer, day }: Pick<Sale, "buyer" | "day">,
): number {
  const business = taxedBuyer(buyer)
  if (taxPlace(rules, business, day).kind !== "reverse-charge") return 0
  const consumer = taxPlace(rules, { country: business.country }, day)
  return lineRate(rules, consumer, { productId, day, buyer })
}

/** What of the tax is still owed back after a correction, in minor units. */
export function taxOwedBack({ correction }: OrderTax): number {
  return correction ? correction.back - (correction.repaid ?? 0) : 0
}

/**
 * The tax that other systems are told of an order. A paid one whose business was confirmed after the sale has none any more: what was in its
 * total is owed back. One that still waits for its payment asks for its total with the tax.
 */
export function currentTax(tax: OrderTax, status: OrderStatus): OrderTax {
  if (!tax.correction || !paidStatuses.includes(status)) return tax
  const lines = tax.lines.map((line) => ({ ...line, basisPoints: 0, tax: 0, gross: line.net }))
  return { ...tax, place: tax.correction.place, lines }
}

/**
 * The tax of an order after a late answer about the number of its business. `day`: of the sale. `sold`: the lines that were sold; what
 * did not apply has become account credit with its tax. Idempotent.
 */
export function taxAfterCheck(
  rules: TaxRules,
  tax: OrderTax,
  { check, day, sold }: { readonly check: NumberCheck; readonly day: Day; readonly sold: TaxedLines },
): OrderTax {
  const { business } = tax.buyer
  if (business?.check.result !== "unanswered") return tax
  const answered = { ...tax, buyer: { ...tax.buyer, business: { ...business, check } } }
  const place = taxPlace(rules, taxedBuyer(answered.buyer), day)
  const { tax: back } = taxTotal(sold)
  if (place.kind !== "reverse-charge" || back === 0) return answered
  return { ...answered, correction: { place, back, at: check.at } }
}

function isMoney({ kind }: QuoteLine): boolean {
  return kind === "accountCredit" || kind === "invoiceRest"
}

function productOf(line: QuoteLine): string | null {
  return "productId" in line ? line.productId : null
}

type SoldProduct = Sale & { readonly productId: string | null }

/** The rate of a product where a sale is taxed, in basis points. */
function lineRate(rules: TaxRules, place: TaxPlace, sold: SoldProduct): number {
  return knownRate(rules, place, sold) ?? 0
}

/** The same; null: the rules have none for the day. */
function knownRate(rules: TaxRules, place: TaxPlace, { productId, day, buyer }: SoldProduct): number | null {
  if (place.kind !== "taxed") return 0
  const category = (productId !== null && rules.categories[productId]) || STANDARD
  // A seller below the Union's threshold charges the rate of another country than the buyer's, which has not this region.
  const region = place.country === buyerCountry(buyer) ? buyer.region : null
  return taxRate(rules, place.country, { category, day, region })
}

/** Rate by product where a sale to a buyer is taxed, in basis points: for prices that change while choosing. */
export function productRates(
  rules: TaxRules,
  productIds: readonly string[],
  sale: Sale,
): Readonly<Record<string, number>> {
  const place = taxPlace(rules, taxedBuyer(sale.buyer), sale.day)
  return Object.fromEntries(
    productIds.map((productId) => [productId, lineRate(rules, place, { ...sale, productId })]),
  )
}

type TaxedLines = { readonly lines: readonly TaxedLine[] }

/** The lines of an order or a document by rate, highest first. */
export function taxByRate({ lines }: TaxedLines): readonly TaxedLine[] {
  const groups = [...Map.groupBy(lines, ({ basisPoints }) => basisPoints).values()]
  return groups
    .map((group) => group.reduce(added))
    .map(({ basisPoints, net, tax, gross }) => ({ basisPoints, net, tax, gross }))
    .toSorted((one, other) => other.basisPoints - one.basisPoints)
}

/** What is told of an order's tax, by rate; empty if it is not taxed. Null: neither we nor an external billing system know any. */
export function taxesOf({ tax, externalTax }: KnownTax): readonly TaxAtRate[] | null {
  if (!tax) return externalTax ?? null
  return taxByRate(tax)
    .filter(({ basisPoints }) => basisPoints > 0)
    .map(({ basisPoints, tax: amount }) => ({ basisPoints, amount }))
}

/** The sums of the tax of an order or a document, in minor units. */
export function taxTotal({ lines }: TaxedLines): Pick<TaxedLine, "net" | "tax" | "gross"> {
  const [first, ...others] = lines
  const { net, tax, gross } = first ? others.reduce(added, first) : { net: 0, tax: 0, gross: 0 }
  return { net, tax, gross }
}

const added = <L extends TaxedLine>(one: L, other: L): L => ({
  ...one,
  net: one.net + other.net,
  tax: one.tax + other.tax,
  gross: one.gross + other.gross,
})
