import { type Currency, isCurrency } from "../money/money"

const CURRENCY_INTENT = "currency-"

/** Button that shows the prices in another currency. */
export function currencyIntent(currency: Currency): string {
  return `${CURRENCY_INTENT}${currency}`
}

/** The currency of such a button; null for every other button. */
export function currencyOfIntent(intent: unknown): Currency | null {
  if (typeof intent !== "string" || !intent.startsWith(CURRENCY_INTENT)) return null
  const currency = intent.slice(CURRENCY_INTENT.length)
  return isCurrency(currency) ? currency : null
}
