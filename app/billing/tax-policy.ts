import type { TaxRules } from "~/domain/tax"
import type { TaxFile } from "~/domain/tax-file"

/** How orders are taxed. */
export type TaxPolicy = {
  /** The rules in force: those of the console, without any those of the shop file. Null: nothing is taxed. */
  readonly rules: TaxRules | null
  /** Time zone of the day of a sale (IANA). */
  readonly timeZone: string
  /** What the shop file says; null or absent: nothing. */
  readonly file?: TaxFile | null | undefined
}
