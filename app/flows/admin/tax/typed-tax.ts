import { type Currency, currencies } from "~/domain/money/money"
import { STANDARD } from "~/domain/tax/tax"
import type { TaxFile } from "~/domain/tax/tax-file"

/** Rules of tax as they are typed. Registrations, rates and exchange rates: one on each line, its parts separated by semicolons. */
export type TypedTax = {
  readonly country: string
  /** Country; number; from; until. */
  readonly registrations: string
  readonly oneStopShop: boolean
  /** Country; region; category; percent; from; until. */
  readonly rates: string
  /** Codes of countries, separated by commas. */
  readonly exempt: string
  /** By product id; empty: standard. */
  readonly categories: Readonly<Record<string, string>>
  readonly prices: Readonly<Partial<Record<Currency, string>>>
  /** Empty: tax is stated in the currency of the sale alone. */
  readonly accountingCurrency: string
  /** Currency; other currency; rate; from. */
  readonly exchangeRates: string
}

/** Rules as a form shows them; null: there are none yet. */
export function typedTax(content: TaxFile | null): TypedTax {
  return {
    country: content?.country ?? "",
    registrations: linesOf(content?.registrations ?? [], ({ country, number, from, until }) => [
      country,
      number,
      from,
      until ?? "",
    ]),
    oneStopShop: content?.oneStopShop ?? false,
    rates: linesOf(content?.rates ?? [], ({ country, region, category, percent, from, until }) => [
      country,
      region ?? "",
      category,
      String(percent),
      from,
      until ?? "",
    ]),
    exempt: content?.exempt.join(", ") ?? "",
    categories: content?.categories ?? {},
    prices: Object.fromEntries(currencies.map((it) => [it, content?.prices[it] ?? "inclusive"] as const)),
    accountingCurrency: content?.accounting?.currency ?? "",
    exchangeRates: linesOf(content?.accounting?.exchangeRates ?? [], ({ base, quote, rate, from }) => [
      base,
      quote,
      rate,
      from,
    ]),
  }
}

function linesOf<T>(entries: readonly T[], partsOf: (entry: T) => readonly string[]): string {
  return entries
    .map((it) => {
      const parts = partsOf(it)
      return parts.slice(0, parts.findLastIndex((part) => part !== "") + 1).join("; ")
    })
    .join("\n")
}

/**
 * Rules as they were typed, not checked yet: whether the rates were checked stays as it was, and so do the categories of products
 * that the form has not.
 */
export function taxContent(typed: TypedTax, before: TaxFile | null): unknown {
  const categories = Object.entries({ ...before?.categories, ...typed.categories })
  return {
    country: code(typed.country),
    confirmedOn: before?.confirmedOn ?? null,
    registrations: linesIn(typed.registrations).map(([country = "", number, from, until, ...more]) => ({
      country: code(country),
      number,
      ...span(from, until),
      ...excess(more),
    })),
    oneStopShop: typed.oneStopShop,
    rates: linesIn(typed.rates).map(
      ([country = "", region, category, percent = "", from, until, ...more]) => ({
        country: code(country),
        ...(region && { region }),
        category: category || STANDARD,
        percent: percent === "" ? Number.NaN : Number(percent.replace(",", ".")),
        ...span(from, until),
        ...excess(more),
      }),
    ),
    exempt: typed.exempt.split(/[\s,;]+/).flatMap((it) => (it === "" ? [] : [code(it)])),
    categories: Object.fromEntries(
      categories.flatMap(([product, it]) => (it.trim() === "" ? [] : [[product, it.trim()] as const])),
    ),
    prices: Object.fromEntries(Object.entries(typed.prices).filter(([, mode]) => mode !== "inclusive")),
    ...accountingContent(typed),
  }
}

function accountingContent({
  accountingCurrency,
  exchangeRates,
}: Pick<TypedTax, "accountingCurrency" | "exchangeRates">): object {
  const lines = linesIn(exchangeRates)
  if (accountingCurrency.trim() === "" && lines.length === 0) return {}
  const rates = lines.map(([base = "", quote = "", rate = "", from, ...more]) => ({
    base: code(base),
    quote: code(quote),
    rate: rate.replace(",", "."),
    from,
    ...excess(more),
  }))
  return { accounting: { currency: code(accountingCurrency), exchangeRates: rates } }
}

const code = (text: string) => text.trim().toUpperCase()

/** The parts of each line that is not empty. */
function linesIn(text: string): readonly (readonly string[])[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.split(";").map((part) => part.trim()))
}

/** Days that are not typed are not limited. */
function span(from: string | undefined, until: string | undefined): object {
  return { ...(from && { from }), ...(until && { until }) }
}

/** What stands behind the last part, which the rules refuse. */
function excess(more: readonly string[]): object {
  return more.some((it) => it !== "") ? { "a further part": more.join("; ") } : {}
}
