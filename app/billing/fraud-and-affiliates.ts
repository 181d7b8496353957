import type { Day, Instant } from "~/domain/calendar"
import type { Country } from "~/domain/country"
import type { FraudVerdict } from "~/domain/fraud"

/** What the books keep of visits: who sent them, and who is not welcome. Every call may throw a `BillingError`. */
export interface Visits {
  /** Counts a click on an affiliate's link, once per visitor, affiliate and day; false when it had been counted. */
  recordClick(click: Click): Promise<boolean>
  /** Blocked addresses, networks and countries, and how many orders the address has left unpaid lately. */
  checkFraud(visitor: { address: string | null; country: Country; at: Instant }): Promise<FraudVerdict>
  /** Marks an unpaid order as suspicious: nothing can be paid for it, its promotion's use is given back. */
  fraudOrder(orderId: string, reason: string, at: Instant): Promise<void>
}

export type Click = {
  affiliateId: string
  /** Stands for the visitor without naming him. */
  visitor: string
  /** The shop's calendar day. */
  day: Day
  referer: string | null
  at: Instant
}
