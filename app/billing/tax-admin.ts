import type { Day } from "~/domain/calendar"
import { currenciesPriced, type Product } from "~/domain/catalogue/catalogue"
import type { Currency } from "~/domain/money/money"
import { currenciesWithoutRate, type TaxAccounting } from "~/domain/tax/exchange-rate"
import type { TaxRules } from "~/domain/tax/tax"
import type { TaxFile } from "~/domain/tax/tax-file"
import type { SeenVersion, VersionSaved, Versions } from "./versions"

/** What a version says: rules, or null for those of the shop file, whatever they are. */
export type TaxSaying = { readonly content: TaxFile | null }

/** The rules of tax as they are. */
export type PresentTax = {
  /** Null: there are none. Nothing is taxed either while `confirmedOn` is null. */
  readonly content: TaxFile | null
  /** Whether they are those of the console, or of the shop file. */
  readonly source: "console" | "file"
  /** What the shop file says; null: nothing. */
  readonly file: TaxFile | null
  /** Number of the last version, 0 without one. */
  readonly latest: number
}

export type TaxSaved = VersionSaved<TaxFile | null>

/** Port by which operators manage the rules of tax. Every call that is a promise may throw a `BillingError`. */
export interface TaxAdmin extends Versions<TaxSaying> {
  /** The rules in force, as they were last read. Null: nothing is taxed. */
  rules(): TaxRules | null
  /** In what currency the seller accounts for tax, as it was last read. Null: not said. */
  accounting(): TaxAccounting | null
  /** Reads the rules in force, which another instance may have changed. */
  refresh(): Promise<void>
  /** The rules that the console has set, with their version. */
  present(): Promise<PresentTax>
  /** Writes a version, whose rules are in force from then on; null: those of the shop file again. Paid orders keep their tax. */
  change(content: TaxFile | null, made: SeenVersion): Promise<TaxSaved>
  /** A new version with the rules of an earlier one. Null for an unknown number. */
  takeBack(number: number, made: SeenVersion): Promise<TaxSaved | null>
}

/**
 * The currencies of the catalogue whose invoices state no tax in the accounting currency, because no rate holds today. Empty in a shop that
 * taxes nothing or names no accounting currency; then `products` is not asked.
 */
export async function currenciesWithoutRateIn(
  tax: Pick<TaxAdmin, "rules" | "accounting"> | null,
  products: () => Promise<readonly Product[]>,
  today: Day,
): Promise<readonly Currency[]> {
  const accounting = tax?.rules() ? tax.accounting() : null
  return accounting ? currenciesWithoutRate(accounting, currenciesPriced(await products()), today) : []
}
