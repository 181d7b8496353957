import type { Instant } from "~/domain/calendar"
import type { ResellerCreditCause } from "~/domain/services/reseller-credits"
import type { ServiceStatus } from "~/domain/services/service"

/** A customer with a reseller plan. `credits`: left. */
export type ResellerListItem = {
  readonly id: string
  readonly email: string
  readonly activePlans: number
  readonly credits: number
  readonly lines: number
}

/** `granted`: credits that operators have granted so far. */
export type ResellerDetails = ResellerListItem & { readonly granted: number }

export type ResellerRange = {
  /** What the present e-mail or one from before begins with; absent: all. */
  readonly email?: string | undefined
  /** The e-mail is not only begun with. */
  readonly isWhole?: boolean | undefined
  /** The id before the page. */
  readonly after?: string | undefined
  /** The id behind the page; the nearest first. */
  readonly before?: string | undefined
  readonly limit: number
}

/** A ledger entry; negative for used credits. */
export type ResellerEntry = {
  readonly id: string
  readonly at: Instant
  readonly cause: ResellerCreditCause
  readonly amount: number
  readonly reason: string | null
  /** The order that caused it, if any. */
  readonly orderId: string | null
  /** What the reseller calls the customer of that line; of an extension those of all its lines, separated by commas. */
  readonly customerName: string | null
}

export type EntryPlace = { readonly at: Instant; readonly id: string }

export type EntryRange = {
  readonly from?: Instant | undefined
  readonly until?: Instant | undefined
  /** Entries behind this one. */
  readonly beyond?: EntryPlace | undefined
  readonly limit: number
}

/** A line that a reseller has created. `customerName`: as the reseller has written it. */
export type ResellerLine = {
  readonly id: string
  readonly customerName: string
  readonly username: string
  readonly status: ServiceStatus
  readonly createdAt: Instant
  readonly paidUntil: Instant | null
}

export type ResellerCreditGrant = {
  readonly customerId: string
  readonly amount: number
  /** What operators had granted before; absent: however much. */
  readonly grantedBefore?: number
  readonly reason: string | null
  readonly at: Instant
}

/** Port of what operators see of resellers and do with them. Every call may throw a `BillingError`. */
export interface ResellerAdmin {
  /** Customers with a reseller plan by id, at most `limit`; a search by e-mail finds the first of them. */
  listResellers(range: ResellerRange): Promise<readonly ResellerListItem[]>
  /** Null for a customer without a reseller plan. */
  reseller(id: string): Promise<ResellerDetails | null>
  /** Ledger entries of a reseller, newest first, at most `limit`. */
  resellerEntries(id: string, range: EntryRange): Promise<readonly ResellerEntry[]>
  /** Lines of a reseller, newest first, at most `limit`. */
  resellerLines(
    id: string,
    range: { readonly beyond?: EntryPlace | undefined; readonly limit: number },
  ): Promise<readonly ResellerLine[]>
  /**
   * Grants reseller credits. Returns the new balance; null for an unknown id, or an erased customer. Throws `BillingError` "refused"
   * if more was granted meanwhile than `grantedBefore` says. Not idempotent.
   */
  grantResellerCredits(grant: ResellerCreditGrant): Promise<number | null>
}
