import type { TaxRules } from "~/domain/tax"

/** How orders are taxed, from the operator's shop file. */
export type TaxPolicy = {
  readonly rules: TaxRules
  /** Time zone of the day of a sale (IANA). */
  readonly timeZone: string
}
