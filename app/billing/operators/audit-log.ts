import type { Instant } from "~/domain/calendar"

/**
 * Port of the audit log. Entries are only ever added, and each holds the hash of the one before, so that a changed or removed
 * one is found. Every call may throw a `BillingError`.
 */
export interface AuditLog {
  /** Adds an entry. Returns its position; null if an entry has its form key. */
  append(entry: NewAuditEntry): Promise<number | null>
  /** What was typed in the form whose key an entry has; null: none has it, so that the form has not acted. */
  sentForm(formKey: string): Promise<SentForm | null>
  /** Entries in the order of time, after a position. */
  page(page: { readonly after: number; readonly limit: number }): Promise<readonly AuditEntry[]>
  /** The newest entries first, before a position, of one subject, operator, action or time if one is named: all apply. */
  newest(page: AuditPage): Promise<readonly AuditEntry[]>
  /** Checks all hashes. */
  verify(): Promise<AuditVerdict>
}

/** `typed`: the mark of what was typed; null in an entry of an earlier version. */
export type SentForm = { readonly typed: string | null }

export type AuditPage = {
  readonly limit: number
  readonly before?: number | undefined
  readonly subject?: string | undefined
  /** An email, or "admin CLI". */
  readonly operator?: string | undefined
  readonly action?: string | undefined
  /** Entries at this time or later. */
  readonly from?: Instant | undefined
  /** Entries before this time. */
  readonly until?: Instant | undefined
}

/** `started`: written before an action; `done` or `failed` follows. */
export type AuditOutcome = "started" | "done" | "failed"

export type NewAuditEntry = {
  readonly at: Instant
  /** Null for the admin CLI. */
  readonly operatorId: string | null
  /** The operator's e-mail, or "admin CLI". */
  readonly operator: string
  readonly action: string
  /** What it is about, such as "order 7BQ697JNZK". */
  readonly subject: string
  readonly outcome: AuditOutcome
  readonly reason?: string | null
  /** Before and after, as they are stored: JSON without secrets. */
  readonly before?: unknown
  readonly after?: unknown
  /** The form's key: a second entry with it is not added. */
  readonly formKey?: string | null
  /** A mark by which it is known whether the same is typed in a form that is sent again. */
  readonly formTyped?: string | null
}

export type AuditEntry = {
  readonly position: number
  readonly at: Instant
  readonly operatorId: string | null
  readonly operator: string
  readonly action: string
  readonly subject: string
  readonly outcome: AuditOutcome
  readonly reason: string | null
  /** JSON, or null. */
  readonly before: string | null
  readonly after: string | null
  readonly formKey: string | null
  readonly previousHash: string
  readonly hash: string
}

/** `brokenAt`: position of the first entry whose hash does not match; null if all do. `lastHash`: of the last entry. */
export type AuditVerdict = {
  readonly entries: number
  readonly brokenAt: number | null
  readonly lastHash: string | null
}
