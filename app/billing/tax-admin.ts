import type { TaxRules } from "~/domain/tax"
import type { TaxFile } from "~/domain/tax-file"
import type { CatalogueVersion, SeenVersion } from "./catalogue-admin"

/** `found`: what the shop file said before the first change. `file`: the shop file's rules are in force again. */
export type TaxVersionOrigin = "found" | "edit" | "take-back" | "file"

/** A state of the rules of tax. */
export type TaxVersion = Omit<CatalogueVersion, "how"> & { readonly how: TaxVersionOrigin }

/** `content`: null for the rules of the shop file, whatever they are. */
export type TaxVersionDetails = TaxVersion & { readonly content: TaxFile | null }

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

export type TaxSaved =
  /** The rules before and after. */
  | {
      readonly kind: "saved"
      readonly version: number
      readonly before: TaxFile | null
      readonly after: TaxFile | null
    }
  /** Somebody has made a version since. */
  | { readonly kind: "changed" }
  /** The rules are like that already. */
  | { readonly kind: "same" }

/** Port by which operators manage the rules of tax. Every call that is a promise may throw a `BillingError`. */
export interface TaxAdmin {
  /** The rules in force, as they were last read. Null: nothing is taxed. */
  rules(): TaxRules | null
  /** Reads the rules in force, which another instance may have changed. */
  refresh(): Promise<void>
  present(): Promise<PresentTax>
  /** Versions, the last one first, at most `limit`, those before the number `before`. */
  versions(range: {
    readonly before?: number | undefined
    readonly limit: number
  }): Promise<readonly TaxVersion[]>
  /** Null for an unknown number. */
  version(number: number): Promise<TaxVersionDetails | null>
  /** Writes a version, whose rules are in force from then on; null: those of the shop file again. Placed orders keep their tax. */
  change(content: TaxFile | null, made: SeenVersion): Promise<TaxSaved>
  /** A new version with the rules of an earlier one. Null for an unknown number. */
  takeBack(number: number, made: SeenVersion): Promise<TaxSaved | null>
}
