import type { RefundTarget } from "~/billing/orders/order-admin"
import type { AccountCreditCause } from "~/billing/payments/account-credit-cause"
import type { Day, Instant } from "~/domain/calendar"
import type { Currency } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { PaymentStatus, UnappliedReason } from "~/domain/payments/payment"
import type { UnmatchedState } from "~/domain/payments/unmatched-payment"

/** A gateway that an operator has taken out of the offer. */
export type GatewayDrainRow = { gateway: GatewayId; since: Instant }

/** Number of rejected callbacks per gateway, calendar day of the shop and reason. */
export type RefusedCallbacksRow = { gateway: GatewayId; day: Day; reason: string; count: number }

/** A rejected callback as it was sent. `headers`: pairs as JSON. `body`: base64 of at most 16 kB. */
export type RejectedCallbackRow = {
  id: string
  gateway: GatewayId
  reason: string
  at: Instant
  address: string | null
  headers: string
  body: string
  /** Of the whole body. */
  size: number
  digest: string
}

type Amount = { amount: number; currency: Currency }

export type InvoiceRow = {
  id: string
  order_id: string
  client_id: string
  status: "unpaid" | "paid" | "cancelled"
  total: number
  received: number
  /** Amount moved to the client's account credit; negative: amount paid from it. */
  credited: number
  currency: Currency
  created_at: Instant
  paid_at: Instant | null
}

/** `slot`: unique key of an open attempt, so that equal requests share one attempt; null once closed. */
export type AttemptRow = Amount & {
  id: string
  order_id: string
  gateway: GatewayId
  /** Coin of a payment on the shop's own page; null for hosted pages. */
  coin: string | null
  slot: string | null
  status: PaymentStatus
  /** Net amount: received less refunded. */
  received: number
  /** Highest amounts ever reported as received and as refunded; see `Balance` in attempt-balance.ts. */
  gross: number
  refunded: number
  refund_left: number | null
  payment_id: string | null
  url: string | null
  opened_at: Instant
  polled_at: Instant
  /** When the gateway is polled next. */
  poll_after: Instant
  /** When the payment expires at the provider; null if not reported. */
  ends_at: Instant | null
  /** When the buyer first returned from the gateway with this attempt's return token. */
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

/** Signed payment update that could not be applied; `count`: how often it was received. */
export type UnappliedReportRow = {
  gateway: GatewayId
  event_key: string
  reason: UnappliedReason
  /** The attempt it names, which may be unknown. */
  attempt_id: string | null
  detail: string
  count: number
  first_at: Instant
  at: Instant
}

/**
 * A payment that matches no order. `gross`, `refunded` and `refund_left` as of an attempt; `gross` 0: its reports do not say how
 * much. `handled`: of the remaining amount, what an operator has assigned or returned.
 */
export type UnmatchedPaymentRow = {
  id: string
  gateway: GatewayId
  payment_key: string
  payment_id: string | null
  attempt_id: string | null
  reason: UnappliedReason
  detail: string
  currency: Currency | null
  gross: number
  refunded: number
  refund_left: number | null
  handled: number
  count: number
  first_at: Instant
  at: Instant
  state: UnmatchedState
  order_id: string | null
  client_id: string | null
  reference: string | null
  operator: string | null
  operator_reason: string | null
  handled_at: Instant | null
}

/** Append-only ledger of money received for invoices; refunds are negative. */
export type PaymentRow = Amount & {
  id: string
  invoice_id: string
  client_id: string
  attempt_id: string
  gateway: GatewayId
  transaction_id: string | null
  booked_at: Instant
  /** When the order was placed, of an amount that is not its total; null otherwise. */
  part_placed_at: Instant | null
}

/**
 * Its part outside the gateways: what was due of an order that the operator has marked as paid, and what they have paid back of it;
 * negative. Orders marked by earlier versions have none.
 */
export type OutsidePaymentRow = Amount & { id: string; invoice_id: string; booked_at: Instant }

/**
 * Append-only ledger of account credit: amounts from an invoice to its client's credit; negative: the reverse. Credit that an
 * operator has granted, or given for money that they had received elsewhere, comes from no invoice.
 */
export type AccountCreditMovementRow = Amount & {
  id: string
  client_id: string
  invoice_id: string | null
  cause: AccountCreditCause
  /**
   * The invoice whose credit is `used` or `returned`, or the entry by which an operator has granted it; null for other causes and
   * for older entries.
   */
  source_invoice_id: string | null
  /** The operator's reason, of credit that was granted or refunded. */
  reason: string | null
  /** Idempotency key of credit that was granted; of credit that was refunded, the id of the refund. */
  grant_key: string | null
  at: Instant
}

/** Account credit balance: the sum of its ledger entries, stored for conditional updates. */
export type AccountCreditRow = { client_id: string; currency: Currency; balance: number }

/** A refund that the gateway pays. `refunded_before`: of its payment, when it began. */
export type GatewayRefundRow = {
  id: string
  order_id: string
  attempt_id: string
  gateway: GatewayId
  payment_id: string
  amount: number
  currency: Currency
  refunded_before: number
  address: string | null
  reason: string
  ends_service: number
  at: Instant
  state: "waiting" | "sent" | "refused" | "dismissed"
  claim_url: string | null
  detail: string | null
  settled_at: Instant | null
}

/**
 * A refund that no gateway has paid. `target`: account credit, or the operator has paid it back elsewhere. `outside`: the part of it that
 * the operator had received outside the gateways; the rest is account credit that had paid the order, or what gateways have received.
 */
export type OrderRefundRow = {
  id: string
  order_id: string
  target: RefundTarget
  amount: number
  outside: number
  currency: Currency
  reason: string
  at: Instant
}
