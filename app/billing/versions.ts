import type { Instant } from "~/domain/calendar"

/** How a version came about. */
export type VersionOrigin =
  | "edit"
  | "take-back"
  /** What was there before the first change that has a version, or was put there without one. */
  | "found"
  /** A catalogue file. */
  | "import"
  /** Scheduled prices have come into force; written with the next change. */
  | "scheduled"
  /** The shop file's rules of tax are in force again. */
  | "file"
  /** The shop file's brand and texts hold again. */
  | "reset"

/** A state of what operators change and can take back: the products, the rules of tax, or brand and texts. */
export type Version = {
  /** From 1, without gaps. */
  readonly number: number
  readonly at: Instant
  /** As the audit log names who acts; null for a version that was found. */
  readonly author: string | null
  readonly reason: string | null
  readonly how: VersionOrigin
  /** The version whose content it has again. */
  readonly takenFrom: number | null
}

export type VersionRange = { readonly before?: number | undefined; readonly limit: number }

/** Port to the versions of something. `Content`: what a version says. Every call may throw a `BillingError`. */
export interface Versions<Content extends object> {
  /** The last one first, at most `limit`, those before the number `before`. */
  versions(range: VersionRange): Promise<readonly Version[]>
  /** Key of the console's form that has made the last version; null: none has. */
  lastFormKey(): Promise<string | null>
  /** Null for an unknown number. */
  version(number: number): Promise<(Version & Content) | null>
}

/** Who makes a version and why. */
export type VersionMade = { readonly author: string; readonly reason: string | null; readonly at: Instant }

/**
 * A change by somebody who has seen what there was; `seenVersion`: the last version then, 0 without one. `formKey`: of the console's form
 * that makes it.
 */
export type SeenVersion = VersionMade & { readonly seenVersion: number; readonly formKey?: string }

export type Unsaved =
  /** Somebody has made a version since. */
  | { readonly kind: "changed" }
  /** It is like that already. */
  | { readonly kind: "same" }

/** A version was written, or not; `before` and `after`: what was there, and is. */
export type VersionSaved<State> =
  | { readonly kind: "saved"; readonly version: number; readonly before: State; readonly after: State }
  | Unsaved
