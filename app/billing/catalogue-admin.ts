import type { Instant } from "~/domain/calendar"
import type { Product } from "~/domain/catalogue"

/** Prices by currency and cycle, as decimals. */
export type PricingFields = { readonly [currency: string]: { readonly [cycle: string]: string } }

/** A product with the field names of the catalogue file, not checked yet. */
export type ProductFields = {
  readonly pid: string
  readonly name: string
  readonly paytype: string
  readonly pricing: PricingFields
  readonly configoptions: readonly string[]
  readonly customfields: readonly string[]
  readonly credits?: number | undefined
  readonly renewal_price?: string | undefined
  readonly grace_days?: number | undefined
  readonly trial?: { readonly hours: number } | undefined
  readonly hidden?: boolean | undefined
}

/** An option with its choices, which the file calls `options`. */
export type OptionFields = {
  readonly id: string
  readonly name: string
  readonly options: readonly {
    readonly id: string
    readonly name: string
    readonly pricing: PricingFields
  }[]
}

/** The products as the catalogue file has them, not checked yet. */
export type CatalogueContent = {
  readonly plans: readonly ProductFields[]
  readonly resellerPlans: readonly ProductFields[]
  readonly configoptions: readonly OptionFields[]
  readonly customfields: readonly { readonly id: string; readonly name: string }[]
}

/** What a place of the content is refused for, in English: `["plans", 0, "pricing", "EUR", "monthly"]`. */
export type CatalogueFlaw = { readonly path: readonly PropertyKey[]; readonly message: string }

/** `found`: what was there before the first change that has a version, or was put there without one. */
export type VersionOrigin = "found" | "import" | "edit" | "take-back"

/** A state of the products. */
export type CatalogueVersion = {
  readonly number: number
  readonly at: Instant
  /** As the audit log names who acts; null for a version that was found. */
  readonly author: string | null
  readonly reason: string | null
  readonly how: VersionOrigin
  /** The version whose products it has again. */
  readonly takenFrom: number | null
}

export type VersionDetails = CatalogueVersion & { readonly products: readonly Product[] }

/** Who makes a version and why. */
export type VersionMade = { readonly author: string; readonly reason: string | null; readonly at: Instant }

/** A change by somebody who has seen the products; `seenVersion`: the last version then, 0 without one. */
export type SeenVersion = VersionMade & { readonly seenVersion: number }

/** The products as they are. */
export type PresentCatalogue = {
  readonly products: readonly Product[]
  readonly content: CatalogueContent
  /** Number of the last version, 0 without one. */
  readonly latest: number
}

export type CatalogueChecked =
  | { readonly kind: "valid"; readonly products: readonly Product[] }
  | { readonly kind: "invalid"; readonly flaws: readonly CatalogueFlaw[] }

export type CatalogueSaved =
  /** The products before and after. */
  | {
      readonly kind: "saved"
      readonly version: number
      readonly before: readonly Product[]
      readonly after: readonly Product[]
    }
  | { readonly kind: "invalid"; readonly flaws: readonly CatalogueFlaw[] }
  /** Somebody has made a version since. */
  | { readonly kind: "changed" }
  /** The products are like that already. */
  | { readonly kind: "same" }

/** Port by which operators manage the products. Every call may throw a `BillingError`. */
export interface CatalogueAdmin {
  present(): Promise<PresentCatalogue>
  /** Versions, the last one first, at most `limit`, those before the number `before`. */
  versions(range: {
    readonly before?: number | undefined
    readonly limit: number
  }): Promise<readonly CatalogueVersion[]>
  /** Null for an unknown number. */
  version(number: number): Promise<VersionDetails | null>
  /** Checks products as the import of a catalogue file does, with the promotions that there are. Changes nothing. */
  check(content: CatalogueContent): Promise<CatalogueChecked>
  /** Checks likewise, replaces the products and writes a version. Promotions and placed orders stay. */
  change(content: CatalogueContent, made: SeenVersion): Promise<CatalogueSaved>
  /** Whether a service or a change of plan has a product, also of an order that is not paid: it can be hidden, and not removed. */
  isSold(productId: string): Promise<boolean>
  /** A new version with the products of an earlier one. Null for an unknown number. */
  takeBack(number: number, made: SeenVersion): Promise<CatalogueSaved | null>
}
