import type { TaxAccounting } from "~/domain/tax/exchange-rate"
import type { TaxRules } from "~/domain/tax/tax"
import type { TaxFile } from "~/domain/tax/tax-file"

/** How orders are taxed. */
export type TaxPolicy = {
  /** The rules in force: those of the console, without any those of the shop file. Null: nothing is taxed. */
  readonly rules: TaxRules | null
  /** Time zone of the day of a sale (IANA). */
  readonly timeZone: string
  /** In what currency the seller accounts for tax, of orders too that were placed before tax was switched off. Null or absent: not said. */
  readonly accounting?: TaxAccounting | null | undefined
  /** What the shop file says; null or absent: nothing. */
  readonly file?: TaxFile | null | undefined
}
