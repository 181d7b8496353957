import type { Day } from "../calendar"
import { parseDecimal } from "../money/decimal"
import type { Currency } from "../money/money"
import { rounded } from "./tax"

/**
 * Currencies that a seller can account for tax in: those of the Union's member states, of the United Kingdom, Switzerland and Norway, and
 * of the catalogue. All have two decimals.
 */
export const accountingCurrencies = [
  "CHF",
  "CZK",
  "DKK",
  "EUR",
  "GBP",
  "HUF",
  "NOK",
  "PLN",
  "RON",
  "SEK",
  "USD",
] as const
export type AccountingCurrency = (typeof accountingCurrencies)[number]

/** One unit of `base` is `rate` units of `quote`, from a day on until the day of the next rate. */
export type ExchangeRate = {
  readonly base: AccountingCurrency
  readonly quote: AccountingCurrency
  /** An exact decimal, as it was published: "0.8735". */
  readonly rate: string
  readonly from: Day
}

/** The currency that a seller accounts for tax in, and the rates between it and the currencies of the catalogue. */
export type TaxAccounting = {
  readonly currency: AccountingCurrency
  readonly exchangeRates: readonly ExchangeRate[]
}

/** The currency that a rate is for, seen from the accounting currency. */
export function foreignCurrency(
  { base, quote }: Pick<ExchangeRate, "base" | "quote">,
  accounting: AccountingCurrency,
): AccountingCurrency {
  return base === accounting ? quote : base
}

/** The rates of a currency, the latest first. */
function ratesOf({ currency: own, exchangeRates }: TaxAccounting, currency: Currency): ExchangeRate[] {
  return exchangeRates
    .filter((it) => foreignCurrency(it, own) === currency)
    .toSorted((one, other) => (one.from < other.from ? 1 : -1))
}

/** The rate of a currency that holds on a day. Null: none is known, or it is the accounting currency. */
export function exchangeRateOn(accounting: TaxAccounting, currency: Currency, day: Day): ExchangeRate | null {
  return ratesOf(accounting, currency).find(({ from }) => from <= day) ?? null
}

/** The currencies of `sold` that have no rate on a day, though they are not the accounting currency. */
export function currenciesWithoutRate(
  accounting: TaxAccounting,
  sold: readonly Currency[],
  day: Day,
): readonly Currency[] {
  return sold.filter((it) => it !== accounting.currency && exchangeRateOn(accounting, it, day) === null)
}

const ONE = parseDecimal("1")

/**
 * An amount in minor units, not below zero, in one of the two currencies of a rate: in the other one, `to`, rounded to its minor unit with
 * half of one up, as tax is.
 */
export function converted(minor: number, { base, rate }: ExchangeRate, to: AccountingCurrency): number {
  const exact = parseDecimal(rate)
  return base === to ? rounded(BigInt(minor) * ONE, exact) : rounded(BigInt(minor) * exact, ONE)
}

/** An amount in which a difference of rates shows: a hundred thousand units. */
const LARGE = 10_000_000

/**
 * Whether the rate of a currency on a day differs by more than a fifth from the one before it: likely a slip, such as a rate the wrong way
 * round.
 */
export function isFarFromFormer(accounting: TaxAccounting, currency: Currency, day: Day): boolean {
  const [present, former] = ratesOf(accounting, currency).filter(({ from }) => from <= day)
  if (!present || !former) return false
  const [is, was] = [present, former].map((it) => converted(LARGE, it, accounting.currency))
  return is !== undefined && was !== undefined && Math.abs(is - was) * 5 > was
}

/** "1 EUR = 0.8735 GBP". */
export function exchangeRateText({ base, quote, rate }: ExchangeRate): string {
  return `1 ${base} = ${rate} ${quote}`
}
