import type { Instant } from "~/domain/calendar"

/** How a version came about: a change, the state of an earlier version, or the shop file's values again. */
export type BrandOrigin = "edit" | "take-back" | "reset"

/** A state of what the console has set in place of the shop file. */
export type BrandVersion = {
  readonly number: number
  readonly at: Instant
  /** As the audit log names who acts. */
  readonly author: string
  readonly reason: string | null
  readonly how: BrandOrigin
  /** The version whose content it has again. */
  readonly takenFrom: number | null
}

/** `content`: as it was saved, JSON. `savedBrand` of the domain reads it. */
export type BrandVersionDetails = BrandVersion & { readonly content: unknown }

/** Who makes a version and why, and the last version that they knew; 0: none. */
export type NewBrandVersion = Omit<BrandVersion, "number"> & { readonly seenVersion: number }

/** Number and time of the last version; both 0 without one. */
export type LatestBrand = { readonly version: number; readonly at: Instant }

export type BrandSaved =
  | { readonly kind: "saved"; readonly version: number }
  /** Somebody has made a version since. */
  | { readonly kind: "changed" }
  /** It is like that already. */
  | { readonly kind: "same" }

/**
 * Port to the versions of brand and texts that the console has set. With external billing too: they belong to the shop. Every
 * call may throw a `BillingError`.
 */
export interface BrandVersions {
  /** The last version: cheap, since every instance asks each second. Its time tells it from that of a backup put back. */
  latest(): Promise<LatestBrand>
  /** What holds, with its number; an empty object without a version. */
  present(): Promise<LatestBrand & { readonly content: unknown }>
  /** Versions, the last one first, at most `limit`, those before the number `before`. */
  versions(range: {
    readonly before?: number | undefined
    readonly limit: number
  }): Promise<readonly BrandVersion[]>
  /** Null for an unknown number. */
  version(number: number): Promise<BrandVersionDetails | null>
  /** Writes a version. Of two at once the second is refused. The content must have been checked. */
  save(content: unknown, made: NewBrandVersion): Promise<BrandSaved>
  /** Keeps what was typed for a preview, for a day. */
  keepDraft(draft: { readonly id: string; readonly at: Instant; readonly content: unknown }): Promise<void>
  /** Null for an unknown one, or one that is older than a day. */
  draft(id: string, now: Instant): Promise<unknown>
}
