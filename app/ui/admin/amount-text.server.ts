import { defaultLocale } from "~/domain/locales"
import type { Money } from "~/domain/money/money"
import { moneyText } from "~/ui/layout/format"

/** An amount as the console writes it: "€1,234.50". */
export function amountText(amount: Money<string>): string {
  return moneyText(amount, defaultLocale)
}
