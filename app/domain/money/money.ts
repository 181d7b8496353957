import { includes } from "../includes"

/** An exact amount: integer minor units of a currency with two decimals, of those of the catalogue if no other is named. */
export type Money<C extends string = Currency> = { readonly minor: number; readonly currency: C }

export const currencies = ["EUR", "GBP", "USD"] as const
export type Currency = (typeof currencies)[number]

/** Whether a text is the code of a currency of the catalogue. */
export function isCurrency(text: string): text is Currency {
  return includes(currencies, text)
}

/** An amount of minor units. Throws unless it is a safe integer. */
export function money(minor: number, currency: Currency): Money {
  if (!Number.isSafeInteger(minor)) throw new Error(`Not minor units: ${minor}`)
  // Formatters print minus zero as "-0.00".
  return { minor: minor === 0 ? 0 : minor, currency }
}

/** Parses a decimal as upstreams send it ("12.5", "12.50", "3.00000000"). Throws on a fraction of a cent. */
export function fromDecimal(decimal: string, currency: Currency): Money {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(decimal)
  if (!match) throw new Error(`Invalid amount "${decimal}"`)
  const [, sign, whole, fraction = ""] = match
  const minor = Number(whole) * 100 + Number(fraction.padEnd(2, "0"))
  return money(sign ? -minor : minor, currency)
}

/** Formats with two decimals, a point and no grouping, as APIs expect. */
export function toDecimal({ minor }: Money<string>): string {
  const digits = String(Math.abs(minor)).padStart(3, "0")
  return `${minor < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The sum. Throws for two currencies, as do the other functions of two amounts. */
export function plus(a: Money, b: Money): Money {
  return money(a.minor + sameCurrency(a, b).minor, a.currency)
}

/** The difference, which may be negative (a refund). */
export function minus(a: Money, b: Money): Money {
  return money(a.minor - sameCurrency(a, b).minor, a.currency)
}

/** The smaller of the two amounts. */
export function min(a: Money, b: Money): Money {
  // Stryker disable next-line EqualityOperator: of two equal amounts either is the smaller one.
  return a.minor <= sameCurrency(a, b).minor ? a : b
}

/** An amount so many times. Throws unless that is a safe integer of minor units. */
export function times(amount: Money, count: number): Money {
  return money(amount.minor * count, amount.currency)
}

/** A share of an amount in basis points (1 000 is 10 %), half a cent rounded up. */
export function share(amount: Money, basisPoints: number): Money {
  // Quotient and remainder apart, since the product could exceed the safe integers.
  const whole = Math.floor(amount.minor / 10_000)
  const rest = amount.minor - whole * 10_000
  const ofRest = Math.floor((rest * basisPoints + 5_000) / 10_000)
  return money(whole * basisPoints + ofRest, amount.currency)
}

/** An amount divided evenly, rounded to the nearest cent: for "per month" labels, never for charging. */
export function per(amount: Money, parts: number): Money {
  return money(Math.round(amount.minor / parts), amount.currency)
}

/** Whether amount and currency are equal. */
export function sameAmount(a: Money, b: Money): boolean {
  return a.minor === b.minor && a.currency === b.currency
}

function sameCurrency(a: Money, b: Money): Money {
  if (a.currency !== b.currency) throw new Error(`Cannot combine ${b.currency} with ${a.currency}`)
  return b
}
