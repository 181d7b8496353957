import type { Product } from "~/domain/catalogue/catalogue"
import type { SeenVersion, VersionSaved, Versions } from "../versions"

/** Prices by currency and cycle, as decimals. */
export type PricingFields = { readonly [currency: string]: { readonly [cycle: string]: string } }

/** A price that new orders have from a time on, such as "2027-01-01T00:00:00.000Z"; `price`: a decimal. */
export type ScheduledPriceFields = {
  readonly from: string
  readonly currency: string
  readonly cycle: string
  readonly price: string
  readonly author?: string | undefined
  readonly at?: string | undefined
  readonly reason?: string | undefined
}

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
  readonly scheduled_prices?: readonly ScheduledPriceFields[] | undefined
}

/** An option with its choices, which the file calls `options`. */
export type OptionFields = {
  readonly id: string
  readonly name: string
  readonly options: readonly {
    readonly id: string
    readonly name: string
    readonly pricing: PricingFields
    readonly scheduled_prices?: readonly ScheduledPriceFields[] | undefined
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

/** What a version says. */
export type CatalogueSaying = { readonly products: readonly Product[] }

/** The products as they are, with the prices in force. */
export type PresentCatalogue = {
  readonly products: readonly Product[]
  readonly content: CatalogueContent
  /**
   * Number of the last version, 0 without one. Scheduled prices that have come into force since count as one for each instant, although
   * the next change writes them.
   */
  readonly latest: number
}

export type CatalogueChecked =
  | { readonly kind: "valid"; readonly products: readonly Product[] }
  | { readonly kind: "invalid"; readonly flaws: readonly CatalogueFlaw[] }

export type CatalogueSaved =
  | VersionSaved<readonly Product[]>
  | { readonly kind: "invalid"; readonly flaws: readonly CatalogueFlaw[] }

/** Port by which operators manage the products. Every call may throw a `BillingError`. */
export interface CatalogueAdmin extends Versions<CatalogueSaying> {
  /** The products in force, with the version of the catalogue. */
  present(): Promise<PresentCatalogue>
  /** Checks products as the import of a catalogue file does, with the promotions that there are. Changes nothing. */
  check(content: CatalogueContent): Promise<CatalogueChecked>
  /** Checks likewise, replaces the products and writes a version. Promotions and placed orders stay. */
  change(content: CatalogueContent, made: SeenVersion): Promise<CatalogueSaved>
  /** Whether a service or a change of plan has a product, also of an order that is not paid: it can be hidden, and not removed. */
  isSold(productId: string): Promise<boolean>
  /** A new version with the products of an earlier one. Null for an unknown number. */
  takeBack(number: number, made: SeenVersion): Promise<CatalogueSaved | null>
}
