import type { Day, Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { Currency } from "~/domain/money"
import type { PaymentStatus, UnappliedReason } from "~/domain/payment"

/** How often callbacks were refused on a day of the shop's calendar, and why. */
export type RefusedCallbacksRow = { gateway: GatewayId; day: Day; reason: string; count: number }

type Amount = { amount: number; currency: Currency }

export type InvoiceRow = {
  id: string
  order_id: string
  client_id: string
  status: "unpaid" | "paid" | "cancelled"
  total: number
  received: number
  /** What went to the client's credit; below zero: what his credit has paid of it. */
  credited: number
  currency: Currency
  created_at: Instant
  paid_at: Instant | null
}

/** `slot`: taken while the attempt is undecided, so that the same wish has one attempt; null afterwards. */
export type AttemptRow = Amount & {
  id: string
  order_id: string
  gateway: GatewayId
  /** What it is to be paid in on our own page, if so. */
  coin: string | null
  slot: string | null
  status: PaymentStatus
  /** What is there of it: all that came less what went back. */
  received: number
  /** The most that was ever reported to have come, and to have been refunded; see `Balance`. */
  gross: number
  refunded: number
  refund_left: number | null
  payment_id: string | null
  url: string | null
  opened_at: Instant
  polled_at: Instant
  /** When the gateway is to be asked of our own accord. */
  poll_after: Instant
  /** When the provider takes no more money for it; null where it has not said so. */
  ends_at: Instant | null
  /** When the buyer first came back from the gateway by this attempt's own address. */
  resumed_at: Instant | null
}

export type GatewayEventRow = Amount & {
  gateway: GatewayId
  event_key: string
  attempt_id: string
  status: PaymentStatus
  transaction_id: string | null
  at: Instant
}

/** What a gateway has reported under its signature and could not be booked; `count`: how often it was reported. */
export type UnappliedReportRow = {
  gateway: GatewayId
  event_key: string
  reason: UnappliedReason
  /** The attempt it names, which need not be one of ours. */
  attempt_id: string | null
  detail: string
  count: number
  first_at: Instant
  at: Instant
}

/** The ledger: signed movements of money received for invoices, only ever added. */
export type PaymentRow = Amount & {
  id: string
  invoice_id: string
  client_id: string
  attempt_id: string
  gateway: GatewayId
  transaction_id: string | null
  booked_at: Instant
}

/**
 * Why a client's credit has moved. `surplus`: more came than an invoice asked for, or part of that went back. `late`:
 * it came when the order could not be paid any more. `left`: it was not enough, and the order has come to nothing.
 * `used`: it has paid an invoice. `returned`: that order has come to nothing.
 */
export type CreditCause = "surplus" | "late" | "left" | "used" | "returned"

/** Movements from an invoice to its client's credit; below zero: the other way. Only ever added. */
export type CreditMovementRow = Amount & {
  id: string
  client_id: string
  invoice_id: string
  cause: CreditCause
  /** The invoice whose credit is `used` or `returned`; null for any other cause, and where nobody knows any more. */
  source_invoice_id: string | null
  at: Instant
}

/** What a client may spend: the sum of his credit's movements, kept for conditional updates. */
export type CreditRow = { client_id: string; currency: Currency; balance: number }
