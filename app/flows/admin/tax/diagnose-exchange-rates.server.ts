import type { Diagnostic } from "~/billing/diagnostic"
import type { PresentTax } from "~/billing/tax-admin"
import { type Day, daysAfter } from "~/domain/calendar"
import { currenciesPriced, type Product } from "~/domain/catalogue/catalogue"
import type { Currency } from "~/domain/money/money"
import {
  exchangeRateOn,
  exchangeRateText,
  isFarFromFormer,
  type TaxAccounting,
} from "~/domain/tax/exchange-rate"

/** Tax authorities publish rates each month or more often. */
const OLD_AFTER_DAYS = 60

/** Invoices are issued without what no rate is known for: selling does not stop. */
export function diagnoseExchangeRates(
  { content }: Pick<PresentTax, "content">,
  products: readonly Product[],
  today: Day,
): readonly Diagnostic[] {
  if (!content || content.confirmedOn === null) return []
  const sold = currenciesPriced(products)
  const { accounting } = content
  if (accounting)
    return sold
      .filter((it) => it !== accounting.currency)
      .map((it) => ({ check: "exchange rates", ...rateFinding(accounting, it, today) }))
  if (sold.length < 2) return []
  const message = `no accounting currency: invoices in ${sold.join(", ")} state their tax in that currency alone. Set tax.accounting, since one of them is not your national currency`
  return [{ ok: null, check: "exchange rates", message }]
}

function rateFinding(accounting: TaxAccounting, currency: Currency, today: Day): Omit<Diagnostic, "check"> {
  const rate = exchangeRateOn(accounting, currency, today)
  if (!rate) {
    const message = `none of ${currency} holds today: invoices in it are issued without their tax in ${accounting.currency}. Add one to tax.accounting.exchangeRates`
    return { ok: false, message }
  }
  const text = `${exchangeRateText(rate)}, from ${rate.from}`
  if (rate.from < daysAfter(today, -OLD_AFTER_DAYS))
    return { ok: false, message: `${text}, is more than ${OLD_AFTER_DAYS} days old: add the one of today` }
  if (isFarFromFormer(accounting, currency, today))
    return { ok: null, message: `${text}, differs by more than a fifth from the one before: check it` }
  return { ok: true, message: text }
}
