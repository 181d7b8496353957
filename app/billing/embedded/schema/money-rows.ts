import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { Currency } from "~/domain/money"
import type { PaymentStatus } from "~/domain/payment"

type Amount = { amount: number; currency: Currency }

export type InvoiceRow = {
  id: string
  order_id: string
  client_id: string
  status: "unpaid" | "paid" | "cancelled"
  total: number
  received: number
  currency: Currency
  created_at: Instant
  paid_at: Instant | null
}

/** `slot`: taken while the attempt is undecided, so that the same wish has one attempt; null afterwards. */
export type AttemptRow = Amount & {
  id: string
  order_id: string
  gateway: GatewayId
  slot: string | null
  status: PaymentStatus
  received: number
  payment_id: string | null
  url: string | null
  opened_at: Instant
  asked_at: Instant
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

/**
 * The ledger: signed movements, only ever added. `invoice`: money received for an invoice. `credit`: what of it
 * went to the client's credit.
 */
export type PaymentRow = Amount & {
  id: string
  account: "invoice" | "credit"
  invoice_id: string
  client_id: string
  attempt_id: string
  gateway: GatewayId
  transaction_id: string | null
  booked_at: Instant
}

/** What a client may spend: the sum of the ledger's `credit` movements, kept for conditional updates. */
export type CreditRow = { client_id: string; currency: Currency; balance: number }
