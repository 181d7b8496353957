import { accountingTaxTotal } from "~/domain/accounting/accounting-tax"
import type { TaxDocument } from "~/domain/accounting/tax-document"
import { defaultLocale, type Locale, localeOfCode } from "~/domain/locales"
import { toDecimal } from "~/domain/money/money"
import type { ExchangeRate } from "~/domain/tax/exchange-rate"
import { dayText } from "~/ui/layout/format"
import { documentTexts } from "./texts"

/** The tax of a document in the seller's accounting currency, with its exchange rate, in words. Null: it does not state it. */
export function accountingText({
  accounting,
  locale: code,
}: Pick<TaxDocument, "accounting" | "locale">): string | null {
  if (!accounting) return null
  const locale = localeOfCode(code) ?? defaultLocale
  const { currency, exchange } = accounting
  return documentTexts(code)("accountingTax", {
    // The code, since signs such as "kr" are those of several currencies.
    amount: amountText({ minor: accountingTaxTotal(accounting), currency }, locale),
    rate: `1 ${exchange.base} = ${rateText(exchange, locale)} ${exchange.quote}`.replaceAll(" ", "\u00a0"),
    on: dayText(Date.parse(exchange.from), locale, "UTC"),
  })
}

function amountText(
  { minor, currency }: { readonly minor: number; readonly currency: string },
  { iso }: Locale,
): string {
  const format = new Intl.NumberFormat(iso, { style: "currency", currency, currencyDisplay: "code" })
  return exactly(format, toDecimal({ minor, currency })).replace(/\s/g, "\u00a0")
}

/** With the decimals that it was published with. */
function rateText({ rate }: ExchangeRate, { iso }: Locale): string {
  const decimals = rate.split(".")[1]?.length ?? 0
  return exactly(
    new Intl.NumberFormat(iso, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
    rate,
  )
}

/** Formats a decimal without making a floating-point number of it. */
function exactly(format: Intl.NumberFormat, decimal: string): string {
  return format.format(decimal as Intl.StringNumericLiteral)
}
