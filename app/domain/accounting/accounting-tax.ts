import type { Day } from "../calendar"
import type { Currency } from "../money/money"
import { taxByRate, taxTotal } from "../orders/order-tax"
import {
  type AccountingCurrency,
  converted,
  type ExchangeRate,
  exchangeRateOn,
  type TaxAccounting,
} from "../tax/exchange-rate"
import type { TaxedLine } from "../tax/tax"

/** What a document has at one rate of tax, in minor units of the accounting currency. */
export type AccountingSum = Pick<TaxedLine, "basisPoints" | "net" | "tax">

/**
 * The tax of a document in the seller's accounting currency (article 230 of Directive 2006/112/EC). It is kept with the document: a later
 * rate does not change it.
 */
export type AccountingTax = {
  readonly currency: AccountingCurrency
  /** The rate of the day of supply. */
  readonly exchange: ExchangeRate
  /** By rate of tax, the highest first. */
  readonly sums: readonly AccountingSum[]
}

type Invoiced = {
  readonly lines: readonly TaxedLine[]
  readonly currency: Currency
  readonly suppliedOn: Day
}

/**
 * What an invoice states in the accounting currency. Undefined: it has no tax, is in that currency itself, or no rate is known for its day
 * of supply.
 */
export function accountingTax(
  { lines, currency, suppliedOn }: Invoiced,
  accounting: TaxAccounting | null | undefined,
): AccountingTax | undefined {
  if (!accounting || taxTotal({ lines }).tax === 0) return undefined
  const exchange = exchangeRateOn(accounting, currency, suppliedOn)
  if (!exchange) return undefined
  const to = accounting.currency
  const sums = taxByRate({ lines }).map(({ basisPoints, net, tax }) => ({
    basisPoints,
    net: converted(net, exchange, to),
    tax: converted(tax, exchange, to),
  }))
  return { currency: to, exchange, sums }
}

/** A `TaxDocument`, of which this is a part. */
type IssuedDocument = {
  readonly kind: string
  readonly lines: readonly TaxedLine[]
  readonly accounting?: AccountingTax | undefined
}

/**
 * What a correction states: of an invoice that states its tax in the accounting currency, at the rate of that invoice. Each correction has
 * the difference that it makes to all before it, so that credit notes of the whole invoice come to what it states, however many they are.
 * `documents`: the invoice, and what has corrected it. `kind`: as of a `Correction`.
 */
export function correctedAccountingTax(
  documents: readonly IssuedDocument[],
  { kind, lines }: { readonly kind: "credit" | "again"; readonly lines: readonly TaxedLine[] },
): AccountingTax | undefined {
  const [invoice, ...later] = documents
  if (!invoice?.accounting) return undefined
  const { currency, exchange } = invoice.accounting
  const sums = taxByRate({ lines }).map(({ basisPoints, ...line }) => {
    const before = creditedAt(basisPoints, later)
    const part = (of: "net" | "tax") => {
      const after = kind === "credit" ? before[of] + line[of] : before[of] - line[of]
      return Math.abs(converted(after, exchange, currency) - converted(before[of], exchange, currency))
    }
    return { basisPoints, net: part("net"), tax: part("tax") }
  })
  return { currency, exchange, sums }
}

/** What corrections have taken back at a rate of tax, less what was invoiced again. */
function creditedAt(
  basisPoints: number,
  later: readonly IssuedDocument[],
): Pick<AccountingSum, "net" | "tax"> {
  const lines = later.flatMap((it) =>
    it.lines
      .filter((line) => line.basisPoints === basisPoints)
      .map(({ net, tax }) => (it.kind === "credit-note" ? { net, tax } : { net: -net, tax: -tax })),
  )
  return lines.reduce((sum, { net, tax }) => ({ net: sum.net + net, tax: sum.tax + tax }), { net: 0, tax: 0 })
}

/** The tax that a document states in the accounting currency, in its minor units. */
export function accountingTaxTotal({ sums }: Pick<AccountingTax, "sums">): number {
  return sums.reduce((total, { tax }) => total + tax, 0)
}
