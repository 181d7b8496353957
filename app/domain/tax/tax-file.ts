import { z } from "zod"
import { type Decimal, parseDecimal } from "../money/decimal"
import { currencies, isCurrency } from "../money/money"
import { accountingCurrencies, type ExchangeRate, foreignCurrency, type TaxAccounting } from "./exchange-rate"
import { priceModes, STANDARD, type TaxRules } from "./tax"
import { taxTable } from "./tax-table"

const CountryCode = z.string().regex(/^[A-Z]{2}$/, "must be a country code, for example DE")
const DayField = z.iso.date("must be a day, for example 2026-12-31")

const line = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "must be one line, without control characters")

/** From and until when something holds, both days included. */
const days = { from: DayField.default("2000-01-01"), until: DayField.nullable().default(null) }

const AccountingCurrencyField = z.enum(
  accountingCurrencies,
  `must be one of ${accountingCurrencies.join(", ")}`,
)

/** Text, since a number in JSON may not be what was typed. No rate of these currencies is near the limits. */
const ExchangeRateField = z
  .string('must be a decimal in quotes, such as "0.8735"')
  .refine(
    (text) => /^\d{1,5}(\.\d{1,8})?$/.test(text) && isBetween(parseDecimal(text), "0.0001", "10000"),
    "must be a decimal from 0.0001 to 10000, with at most eight decimals, such as 0.8735",
  )

function isBetween(decimal: Decimal, least: string, most: string): boolean {
  return parseDecimal(least) <= decimal && decimal <= parseDecimal(most)
}

/** In what currency the seller accounts for tax, and the rates into it. */
const AccountingField = z
  .strictObject({
    currency: AccountingCurrencyField,
    exchangeRates: z
      .array(
        z.strictObject({
          base: AccountingCurrencyField,
          quote: AccountingCurrencyField,
          rate: ExchangeRateField,
          from: DayField,
        }),
      )
      .default([]),
  })
  .superRefine(({ currency, exchangeRates }, refined) => {
    const seen = new Set<string>()
    for (const [at, rate] of exchangeRates.entries()) {
      const message = exchangeRateFlaw(rate, currency, seen)
      if (message) refined.addIssue({ code: "custom", path: ["exchangeRates", at], message })
    }
  })

/** What is wrong with a rate beside the others, of which `seen` has currency and day; adds its own. */
function exchangeRateFlaw(
  rate: ExchangeRate,
  currency: TaxAccounting["currency"],
  seen: Set<string>,
): string | null {
  const foreign = foreignCurrency(rate, currency)
  if ((rate.base !== currency && rate.quote !== currency) || foreign === currency || !isCurrency(foreign))
    return `must be between ${currency} and another currency of ${currencies.join(", ")}`
  const key = `${foreign} ${rate.from}`
  if (seen.has(key)) return `is another rate of ${foreign} from ${rate.from}`
  seen.add(key)
  return null
}

/**
 * How the shop taxes, as the shop file's `tax` and the console have it. Nothing is taxed until somebody has checked the rates:
 * those that are shipped are a draft.
 */
export const TaxFile = z
  .strictObject({
    country: CountryCode,
    confirmedOn: DayField.nullable().default(null),
    registrations: z.array(z.strictObject({ country: CountryCode, number: line, ...days })).default([]),
    oneStopShop: z.boolean().default(false),
    rates: z
      .array(
        z.strictObject({
          country: CountryCode,
          region: line.optional(),
          category: line.default(STANDARD),
          percent: z
            .number("must be a number")
            .min(0)
            .max(100)
            .multipleOf(0.01, "must have at most two decimals"),
          ...days,
        }),
      )
      .default([]),
    exempt: z.array(CountryCode).default([]),
    categories: z.record(z.string().min(1), line).default({}),
    prices: z.partialRecord(z.enum(currencies), z.enum(priceModes)).default({}),
    accounting: AccountingField.optional(),
  })
  .superRefine(({ registrations, rates }, refined) => {
    const known = new Set([...rates, ...taxTable].map(({ country }) => country))
    for (const [at, { country }] of registrations.entries())
      if (!known.has(country))
        refined.addIssue({
          code: "custom",
          path: ["registrations", at],
          message: `must have a rate in tax.rates: none is shipped for ${country}`,
        })
  })

export type TaxFile = z.output<typeof TaxFile>

/**
 * The rules of a file; null until its rates are confirmed. The operator's own rates come before those that are shipped, the
 * latest first.
 */
export function taxRulesOf({ rates, confirmedOn, accounting: _, ...rules }: TaxFile): TaxRules | null {
  if (confirmedOn === null) return null
  const own = rates
    .map(({ percent, ...rate }) => ({ ...rate, basisPoints: Math.round(percent * 100) }))
    .toSorted((one, other) => (one.from < other.from ? 1 : -1))
  return { ...rules, confirmedOn, rates: [...own, ...taxTable] }
}
