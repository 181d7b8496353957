import type { Day, Instant } from "~/domain/calendar"
import type { HourlyFigure, Need } from "~/domain/console/console-need"
import type { Currency } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { StoredCallback } from "~/domain/payments/rejected-callback"

/** Port of the console's first page. Every call may throw a `BillingError`. */
export interface ConsoleOverview {
  /** What needs a person, the most urgent first, at most 20 of a kind, and who has taken it. */
  needs(query: NeedQuery): Promise<readonly Need[]>
  /** Takes something that needs a person. False if another operator has it. */
  take(taken: { readonly need: string; readonly operatorId: string; readonly at: Instant }): Promise<boolean>
  /** Gives back what the operator had taken. False if it is not taken, or by another operator. */
  leave(need: string, operatorId: string): Promise<boolean>
  /**
   * Sums of the hours from `from` until `until`, which are whole hours. Closed hours are summed once and kept; the others are
   * counted by an index.
   */
  hours(period: HourPeriod): Promise<readonly HourSum[]>
  /**
   * How many services have reached the end of their paid time in a period and were not renewed until now. It is counted anew
   * each time, since a late renewal takes its service out of it.
   */
  endedTerms(period: { readonly from: Instant; readonly until: Instant }): Promise<number>
  /** How many orders have an open payment at a gateway, at most 1,000. */
  waitingOrders(gateway: GatewayId): Promise<number>
  /** What a gateway has reported. It reads many payments: it is for an operator who asks. */
  gatewayStats(gateway: GatewayId, now: Instant): Promise<GatewayStats>
  /** Rejected callbacks of these gateways since a day, the newest day first and within it the most frequent ones; at most `limit`. */
  rejectedCallbacks(query: RejectedQuery): Promise<readonly RejectedCallbacks[]>
  /** Rejected callbacks of these gateways that are stored as they were sent, since an instant, the newest first; at most `limit`. */
  storedCallbacks(query: StoredQuery): Promise<readonly StoredCallback[]>
  /** One of them; null if it is not stored, or no longer. */
  storedCallback(id: string): Promise<StoredCallback | null>
  /** What has happened at least once, and which of the gateways has reported a payment. */
  progress(gateways: readonly GatewayId[]): Promise<ShopProgress>
}

/**
 * `yesterday`: day from which rejected callbacks count. `timeZone`: of their days. `down`: gateways that do not answer. `enabledGateways`:
 * those that the shop would offer. `unknownShopFields`: what the shop file has and nothing reads. `currenciesWithoutRate`:
 * currencies of the catalogue that have no exchange rate today, though the seller accounts in another one.
 */
export type NeedQuery = {
  readonly now: Instant
  readonly yesterday: Day
  readonly timeZone: string
  readonly down: readonly { readonly id: GatewayId; readonly since: Instant }[]
  readonly enabledGateways: readonly GatewayId[]
  readonly unknownShopFields: readonly string[]
  readonly currenciesWithoutRate: readonly Currency[]
}

export type RejectedQuery = {
  readonly gateways: readonly GatewayId[]
  readonly since: Day
  readonly limit: number
}

export type StoredQuery = {
  readonly gateways: readonly GatewayId[]
  readonly since: Instant
  readonly limit: number
}

/** Callbacks of a gateway that were rejected on a day of the shop's calendar for one reason. */
export type RejectedCallbacks = {
  readonly gateway: GatewayId
  readonly day: Day
  readonly reason: string
  readonly count: number
}

/** Recent activity of a gateway. */
export type GatewayStats = {
  /** When the last payment update was recorded; null if there was none. */
  readonly lastUpdateAt: Instant | null
  /** Number of unsettled payments within their order's late-payment grace. */
  readonly open: number
  /** Callbacks rejected in the last 7 days, by reason, the 10 most frequent ones first. */
  readonly refused: readonly { readonly reason: string; readonly count: number }[]
}

export type HourPeriod = { readonly from: Instant; readonly until: Instant; readonly now: Instant }

export type ShopProgress = {
  readonly reported: readonly GatewayId[]
  readonly isPaid: boolean
  readonly isProvisioned: boolean
  readonly isMailSent: boolean
}

/** Sum of an hour by currency. `amount` in minor units; hours without anything have no sum, or one of 0. */
export type HourSum = {
  readonly hour: Instant
  readonly figure: HourlyFigure
  readonly currency: Currency
  readonly count: number
  readonly amount: number
}
