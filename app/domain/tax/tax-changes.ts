import { currencies } from "../money/money"
import { exchangeRateText } from "./exchange-rate"
import { STANDARD } from "./tax"
import type { TaxFile } from "./tax-file"

/** What is different between two states of the rules of tax, in words for operators; empty if nothing is. Null: there are none. */
export function taxChanges(before: TaxFile | null, after: TaxFile | null): readonly string[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return [
    ...fields.flatMap((name) => change(name, was[name] ?? "none", is[name] ?? "none")),
    ...listChanges(
      "registration",
      before?.registrations.map(registrationText),
      after?.registrations.map(registrationText),
    ),
    ...listChanges("rate", before?.rates.map(taxRateText), after?.rates.map(taxRateText)),
    ...listChanges("exchange rate", exchangeRateTexts(before), exchangeRateTexts(after)),
  ]
}

/** What the rules are besides their lists. */
function fieldsOf(file: TaxFile | null): Readonly<Record<string, string>> {
  if (!file) return {}
  const categories = Object.entries(file.categories)
  return {
    "seller's country": file.country,
    "rates checked on": file.confirmedOn ?? "no day: nothing is taxed",
    "one-stop shop": file.oneStopShop ? "yes" : "no",
    "accounting currency": file.accounting?.currency ?? "none",
    "exempt countries": file.exempt.join(", ") || "none",
    ...Object.fromEntries(
      currencies.map((it) => [`prices in ${it}`, `tax ${file.prices[it] ?? "inclusive"}`] as const),
    ),
    ...Object.fromEntries(categories.map(([product, it]) => [`category of product ${product}`, it] as const)),
  }
}

function change(name: string, before: string, after: string): readonly string[] {
  return before === after ? [] : [`${name}: ${before} → ${after}`]
}

function listChanges(
  name: string,
  before: readonly string[] = [],
  after: readonly string[] = [],
): readonly string[] {
  return [
    ...before.filter((it) => !after.includes(it)).map((it) => `${name} removed: ${it}`),
    ...after.filter((it) => !before.includes(it)).map((it) => `${name} added: ${it}`),
  ]
}

/** A registration in words for operators: "DE DE123456789, from 2026-01-01". */
export function registrationText({ country, number, from, until }: TaxFile["registrations"][number]): string {
  return `${country} ${number}, ${spanText(from, until)}`
}

/** A rate in words for operators: "FR reduced 10 %, from 2026-01-01". */
export function taxRateText(rate: TaxFile["rates"][number]): string {
  const { country, region, category, percent, from, until } = rate
  const kind = category === STANDARD ? "" : ` ${category}`
  return `${country}${region === undefined ? "" : ` (${region})`}${kind} ${percent} %, ${spanText(from, until)}`
}

/** The exchange rates of rules: "1 EUR = 0.8735 GBP, from 2026-11-01". */
export function exchangeRateTexts(file: TaxFile | null): readonly string[] {
  return (file?.accounting?.exchangeRates ?? []).map((it) => `${exchangeRateText(it)}, from ${it.from}`)
}

function spanText(from: string, until: string | null): string {
  return until === null ? `from ${from}` : `${from} to ${until}`
}
