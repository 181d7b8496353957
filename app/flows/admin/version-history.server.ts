import type { BrandSaying, BrandVersions } from "~/billing/brand-versions"
import type { CatalogueAdmin, CatalogueSaying } from "~/billing/catalogue/catalogue-admin"
import type { TaxAdmin, TaxSaying } from "~/billing/tax-admin"
import type { Versions } from "~/billing/versions"
import { catalogueChanges } from "~/domain/catalogue/catalogue-changes"
import { brandChanges } from "~/domain/shop/brand-changes"
import { savedBrand } from "~/domain/shop/shop-sections"
import { taxChanges } from "~/domain/tax/tax-changes"
import type { TaxFile } from "~/domain/tax/tax-file"

/** The versions of something, and what is different between two of them. `Content`: what a version says. */
export type VersionHistory<Content extends object> = {
  readonly versions: Versions<Content>
  /** What number 0 stands for; null: nothing. */
  readonly zero: Content | null
  /** In words for operators, a line each; empty if nothing is different. */
  readonly changes: (before: Content, after: Content) => readonly string[]
}

/** The versions of the catalogue, and what differs between two of them. */
export function catalogueHistory(catalogue: CatalogueAdmin): VersionHistory<CatalogueSaying> {
  return {
    versions: catalogue,
    zero: null,
    changes: (before, after) => catalogueChanges(before.products, after.products),
  }
}

/** `file`: what the shop file says now. */
export function taxHistory(tax: TaxAdmin, file: TaxFile | null): VersionHistory<TaxSaying> {
  return {
    versions: tax,
    zero: null,
    changes: (before, after) => taxChanges(before.content ?? file, after.content ?? file),
  }
}

/** Number 0 is the shop file: nothing is set. */
export function brandHistory(versions: BrandVersions): VersionHistory<BrandSaying> {
  return {
    versions,
    zero: { content: {} },
    changes: (before, after) => brandChanges(savedBrand(before.content), savedBrand(after.content)),
  }
}

/** What a version says. Null for an unknown number. */
export async function contentOfVersion<Content extends object>(
  { versions, zero }: VersionHistory<Content>,
  number: number,
): Promise<Content | null> {
  return number === 0 ? zero : versions.version(number)
}
