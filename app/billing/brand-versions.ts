import type { Instant } from "~/domain/calendar"
import type { SeenVersion, Unsaved, VersionOrigin, Versions } from "./versions"

/** How a version of brand and texts comes about: a change, the state of an earlier version, or the shop file's values again. */
export type BrandOrigin = Extract<VersionOrigin, "edit" | "take-back" | "reset">

/** `content`: as it was saved, JSON. `savedBrand` of the domain reads it. */
export type BrandSaying = { readonly content: unknown }

/** `takenFrom`: the version whose content it has again. */
export type NewBrandVersion = SeenVersion & {
  readonly how: BrandOrigin
  readonly takenFrom: number | null
}

/** Number and time of the last version; both 0 without one. */
export type LatestBrand = { readonly version: number; readonly at: Instant }

export type BrandSaved = { readonly kind: "saved"; readonly version: number } | Unsaved

/**
 * Port to the versions of brand and texts that the console has set. With external billing too: they belong to the shop. Every
 * call may throw a `BillingError`.
 */
export interface BrandVersions extends Versions<BrandSaying> {
  /** The last version: cheap, since every instance asks each second. Its time tells it from that of a backup put back. */
  latest(): Promise<LatestBrand>
  /** What holds, with its number; an empty object without a version. */
  present(): Promise<LatestBrand & BrandSaying>
  /** Writes a version. Of two at once the second is refused. The content must have been checked. */
  save(content: unknown, made: NewBrandVersion): Promise<BrandSaved>
  /** Keeps what was typed for a preview, for a day. */
  keepDraft(draft: { readonly id: string; readonly at: Instant; readonly content: unknown }): Promise<void>
  /** Null for an unknown one, or one that is older than a day. */
  draft(id: string, now: Instant): Promise<unknown>
}
