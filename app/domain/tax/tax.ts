import type { Day } from "../calendar"
import { type Country, UNKNOWN_COUNTRY } from "../customers/country"
import type { Currency } from "../money/money"

/** A rate of a country, in basis points (19 % is 1 900), on the days from `from` until `until`, both included. */
export type TaxRate = {
  readonly country: Country
  /** A part of the country with rates of its own, by the name that buyers read; absent: all of it that has none. */
  readonly region?: string | undefined
  /** Kind of product by the shop file; `STANDARD` for what has none. */
  readonly category: string
  readonly basisPoints: number
  readonly from: Day
  /** Null: no end is known. */
  readonly until: Day | null
}

/** Where the seller is registered for tax, on the days from `from` until `until`, both included. */
export type TaxRegistration = {
  readonly country: Country
  readonly number: string
  readonly from: Day
  readonly until: Day | null
}

/** The category of a product that the shop file names in no other, and the rate of one that a country has no rate for. */
export const STANDARD = "standard"

/** Whether the catalogue's prices contain the tax, or it is added to them. */
export const priceModes = ["inclusive", "exclusive"] as const
export type PriceMode = (typeof priceModes)[number]

/** How the shop taxes its sales. A shop without rules taxes nothing. */
export type TaxRules = {
  /** Where the seller is established. */
  readonly country: Country
  readonly registrations: readonly TaxRegistration[]
  /** The Union's one-stop shop: consumers of all member states pay the rate of theirs. */
  readonly oneStopShop: boolean
  /** In order of precedence. */
  readonly rates: readonly TaxRate[]
  /** Countries whose sales the seller does not tax. */
  readonly exempt: readonly Country[]
  /** Category by product id. */
  readonly categories: Readonly<Record<string, string>>
  /** By currency of the catalogue's prices; inclusive without a value. */
  readonly prices?: Readonly<Partial<Record<Currency, PriceMode>>> | undefined
  /** When the operator has checked the rates. */
  readonly confirmedOn: Day
}

/** Member states of the European Union. */
export const unionCountries: readonly Country[] = [
  "AT",
  "BE",
  "BG",
  "CY",
  "CZ",
  "DE",
  "DK",
  "EE",
  "ES",
  "FI",
  "FR",
  "GR",
  "HR",
  "HU",
  "IE",
  "IT",
  "LT",
  "LU",
  "LV",
  "MT",
  "NL",
  "PL",
  "PT",
  "RO",
  "SE",
  "SI",
  "SK",
]

/** Who buys: `business` with a number for tax, which the seller has checked. */
export type TaxedBuyer = { readonly country: Country; readonly business?: boolean | undefined }

/**
 * Whose tax a sale has. `untaxed`: the seller's rules exempt the country, the seller is not registered for it, or the
 * business that buys owes the tax itself.
 */
export type TaxPlace =
  | { readonly kind: "taxed"; readonly country: Country; readonly registration: string }
  | {
      readonly kind: "exempt" | "not-registered" | "reverse-charge"
      readonly country: Country
      readonly registration: string | null
    }

/** Whose tax a sale to a buyer has on a day. A buyer of an unknown country has the seller's. */
export function taxPlace(rules: TaxRules, buyer: TaxedBuyer, day: Day): TaxPlace {
  const country = buyer.country === UNKNOWN_COUNTRY ? rules.country : buyer.country
  if (rules.exempt.includes(country)) return { kind: "exempt", country, registration: null }
  const valid = rules.registrations.filter((it) => isOn(it, day))
  const own = valid.find((it) => it.country === country)
  if (own) return { kind: "taxed", country, registration: own.number }
  const home = valid.find((it) => it.country === rules.country && isOfUnion(it))
  const union = home ?? valid.find(isOfUnion)
  return union && unionCountries.includes(country)
    ? placeInUnion(rules, { ...buyer, country }, union)
    : { kind: "not-registered", country, registration: null }
}

/** Whose tax a sale to another member state has. */
function placeInUnion(
  rules: TaxRules,
  { country, business }: TaxedBuyer,
  { country: from, number: registration }: TaxRegistration,
): TaxPlace {
  if (business) return { kind: "reverse-charge", country, registration }
  if (rules.oneStopShop) return { kind: "taxed", country, registration }
  // Below the threshold of the Union a seller there charges its own country's rate to consumers of the others.
  return from === rules.country
    ? { kind: "taxed", country: from, registration }
    : { kind: "not-registered", country, registration: null }
}

function isOfUnion({ country }: TaxRegistration): boolean {
  return unionCountries.includes(country)
}

function isOn({ from, until }: Pick<TaxRate, "from" | "until">, day: Day): boolean {
  return from <= day && (until === null || day <= until)
}

type RateWanted = {
  readonly category: string
  readonly day: Day
  /** Of the country; absent or null: none that has rates of its own. */
  readonly region?: string | null | undefined
}

/**
 * Rate of a category in a country on a day, in basis points; the standard rate if the category has none. Those of a region come
 * before those of its country. Null: unknown.
 */
export function taxRate(
  { rates }: Pick<TaxRules, "rates">,
  country: Country,
  { category, day, region }: RateWanted,
): number | null {
  const valid = rates.filter((it) => it.country === country && isOn(it, day))
  const found = (place: string | undefined, wanted: string) =>
    valid.find((it) => it.region === place && it.category === wanted)
  const ofRegion = region ? (found(region, category) ?? found(region, STANDARD)) : undefined
  const rate = ofRegion ?? found(undefined, category) ?? found(undefined, STANDARD)
  return rate?.basisPoints ?? null
}

/** The regions of a country that have rates of their own on a day. */
export function taxRegions(
  { rates }: Pick<TaxRules, "rates">,
  country: Country,
  day: Day,
): readonly string[] {
  const regions = rates.flatMap((it) =>
    it.country === country && it.region !== undefined && isOn(it, day) ? [it.region] : [],
  )
  return [...new Set(regions)]
}

/** A line before tax is told apart, in minor units not below zero. */
export type UntaxedLine = { readonly amount: number; readonly basisPoints: number }

/** A line with its tax, in minor units: net + tax = gross. */
export type TaxedLine = {
  readonly basisPoints: number
  readonly net: number
  readonly tax: number
  readonly gross: number
}

/**
 * Taxes lines whose amounts include tax, or to which it is added. What is taken off all of them is taken off before tax, from
 * each line by its share. The tax of a rate is that of the sum of its lines, rounded to the minor unit with half of one up; lines
 * get it by largest remainder, so that they add up to it. Neither depends on the order of the lines.
 */
export function taxLines(
  lines: readonly UntaxedLine[],
  { discount, prices }: { readonly discount: number; readonly prices: PriceMode },
): readonly TaxedLine[] {
  const sum = lines.reduce((total, { amount }) => total + amount, 0)
  const off = divided(
    discount,
    lines.map((line) => ({ ...line, over: BigInt(sum), of: BigInt(discount) * BigInt(line.amount) })),
  )
  const rest = lines.map(({ amount, basisPoints }, at) => ({
    amount: amount - (off[at] ?? 0),
    basisPoints,
    before: amount,
  }))
  const taxes = new Map<(typeof rest)[number], number>()
  for (const [basisPoints, group] of Map.groupBy(rest, (line) => line.basisPoints)) {
    const rate = BigInt(basisPoints)
    const over = prices === "inclusive" ? 10_000n + rate : 10_000n
    const total = group.reduce((before, { amount }) => before + amount, 0)
    const tax = rounded(BigInt(total) * rate, over)
    const shares = divided(
      tax,
      group.map((line) => ({ ...line, over, of: BigInt(line.amount) * rate })),
    )
    for (const [at, line] of group.entries()) taxes.set(line, shares[at] ?? 0)
  }
  return rest.map((line) => {
    const tax = taxes.get(line) ?? 0
    const net = prices === "inclusive" ? line.amount - tax : line.amount
    return { basisPoints: line.basisPoints, net, tax, gross: net + tax }
  })
}

/** A quotient of what is not below zero, rounded with half of one up. */
export function rounded(of: bigint, over: bigint): number {
  return Number((2n * of + over) / (2n * over))
}

/** A part that is `of / over`, exactly. `before`: its line's amount before a discount. */
export type Part = UntaxedLine & { readonly of: bigint; readonly over: bigint; readonly before?: number }

/**
 * Divides a whole into its exact parts by largest remainder. Of equal remainders the larger amount comes first, then the
 * larger one before a discount, then the higher rate: lines that are equal in all of them are interchangeable.
 */
export function divided(whole: number, parts: readonly Part[]): readonly number[] {
  const shares = parts.map(({ of, over }) => (over === 0n ? 0 : Number(of / over)))
  const left = whole - shares.reduce((sum, share) => sum + share, 0)
  const order = parts
    .map((part, at) => ({ ...part, at, remainder: part.over === 0n ? 0n : part.of % part.over }))
    .toSorted(
      (one, other) =>
        Number(other.remainder - one.remainder) ||
        other.amount - one.amount ||
        (other.before ?? 0) - (one.before ?? 0) ||
        other.basisPoints - one.basisPoints,
    )
  for (const { at } of order.slice(0, left)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}
