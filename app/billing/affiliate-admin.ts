import type { Day, Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import type { OrderListItem } from "./orders/order-search"

/** Whole days of the shop's calendar. Clicks have a day, orders a time. */
export type AffiliateSpan = {
  readonly firstDay: Day
  readonly lastDay: Day
  /** Where the first day begins, and where the last one ends. */
  readonly from: Instant
  readonly until: Instant
}

/** What an affiliate has brought in a span. */
export type AffiliateFigures = {
  readonly id: string
  /** Clicks, counted once per visitor and day. */
  readonly clicks: number
  /** Orders placed in the span. */
  readonly orders: number
  /** Number of those orders that have a paid status. */
  readonly paid: number
  /** Totals of the paid orders, an amount per currency. */
  readonly amounts: readonly Money[]
}

export type AffiliateRange = {
  readonly span: AffiliateSpan
  /** The id before the page. */
  readonly after?: string | undefined
  /** The id behind the page; the nearest first. */
  readonly before?: string | undefined
  readonly limit: number
}

export type AffiliateOrderRange = {
  readonly span: AffiliateSpan
  /** Orders behind this one. */
  readonly beyond?: { readonly at: Instant; readonly id: string } | undefined
  readonly limit: number
}

/** Port of what operators see of affiliates. Every call may throw a `BillingError`. */
export interface AffiliateAdmin {
  /** Affiliates that ever had a click or an order, by id, at most `limit`, with what they have brought in the span. */
  listAffiliates(range: AffiliateRange): Promise<readonly AffiliateFigures[]>
  /** Null for one that never had a click or an order. */
  affiliate(id: string, span: AffiliateSpan): Promise<AffiliateFigures | null>
  /** Orders of an affiliate, newest first, at most `limit`. */
  affiliateOrders(id: string, range: AffiliateOrderRange): Promise<readonly OrderListItem[]>
}
