import type { Day, Instant } from "~/domain/calendar"
import type { Country } from "~/domain/country"
import type { FraudVerdict } from "~/domain/fraud"

/** What the books keep of visits: who sent them, and who is not welcome. Every call may throw a `BillingError`. */
export interface FraudAndAffiliates {
  /** Counts a click on an affiliate's link, once per visitor, affiliate and day; false when it had been counted. */
  recordClick(click: Click): Promise<boolean>
  /**
   * Blocked addresses, networks and countries, and how many orders the visitor's browser, e-mail and network have left
   * unpaid lately; a customer who has proven the account and paid before is held by blocks alone.
   */
  checkFraud(visitor: Orderer): Promise<FraudVerdict>
  /** Marks an unpaid order as suspicious: nothing can be paid for it, its promotion's use is given back. */
  fraudOrder(orderId: string, reason: string, at: Instant): Promise<void>
}

/** Whoever is about to order. */
export type Orderer = {
  readonly address: string | null
  readonly country: Country
  /** The random name his browser brings along; null for one that has none. */
  readonly browser: string | null
  /** Whom he orders as; `provenAccount`: he has proven all of the account, and not only signed up. */
  readonly customer: { readonly id: string; readonly authenticatedAccount: boolean } | null
  readonly at: Instant
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
