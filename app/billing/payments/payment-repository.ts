import type { Day, Instant } from "~/domain/calendar"
import type { Currency, Money } from "~/domain/money/money"
import type { AccountCreditScope, Order } from "~/domain/orders/order"
import type { TimelineKind } from "~/domain/orders/timeline"
import type { CoinReference } from "~/domain/payments/coin-reference"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { PaymentStatus, PaymentUpdate, UnappliedReason } from "~/domain/payments/payment"

/** Port of payment attempts, payments and the ledger. Every call may throw a `BillingError`. */
export interface PaymentRepository {
  /**
   * Finds the attempt that still accepts this amount of the order at this gateway (`takesPayment`), or creates one. It
   * is written before the gateway is called, so that every later update can be matched. Throws `TooManyAttempts` after
   * `MAX_ATTEMPTS` attempts, and `BillingError` "refused" if the order is not payable in this amount or currency.
   */
  findOrCreateAttempt(request: AttemptRequest): Promise<Attempt>
  /**
   * Records the gateway's payment id and payment URL, and moves the order to `awaiting-payment`. Does nothing if the
   * attempt is opened already.
   */
  markAttemptOpened(id: string, payment: OpenedAttempt, at: Instant): Promise<void>
  /** How far an order has come, read at once for open pages that poll; null for an unknown order. */
  paymentState(orderId: string): Promise<PaymentState | null>
  /**
   * The latest attempt with the order's current gateway that the gateway has opened, or of a placed order, which has none, the latest;
   * null if there is none. One that could not be opened does not hide the one before, which the buyer sees and can pay or repeat.
   */
  latestAttempt(orderId: string): Promise<Attempt | null>
  /** Opened, unsettled attempts of an order at all gateways, oldest first. */
  openAttempts(orderId: string): Promise<readonly Attempt[]>
  /**
   * Changes the gateway of an order and appends a timeline event. False if the order is not payable or has this gateway
   * already.
   */
  changeGateway(orderId: string, gateway: GatewayId, at: Instant): Promise<boolean>
  /** Marks an attempt as closed by the provider. Money received before or after still counts. Idempotent. */
  markAttemptClosed(id: string): Promise<void>
  /** The order of an attempt's return URL, and whether the URL was redeemed; null: unknown attempt. Read-only. */
  returnOf(attemptId: string): Promise<{ orderId: string; used: boolean } | null>
  /** Redeems the return URL of an attempt. `first` is true once per attempt. Null: unknown attempt. */
  redeemReturnToken(attemptId: string, at: Instant): Promise<{ orderId: string; first: boolean } | null>
  /**
   * Up to `limit` opened attempts at a gateway that are due for polling (`nextPollAt`): unsettled ones, then ended ones, which may
   * be paid late; of each the longest due first. Excludes orders whose deadline passed more than `LATE_PAYMENT_GRACE` ago.
   */
  attemptsDueForPolling(gateway: GatewayId, now: Instant, limit: number): Promise<readonly Attempt[]>
  /** Claims a poll of the gateway. False if another instance has polled since `polledBefore`: do not poll then. */
  claimPoll(attempt: Pick<Attempt, "id" | "openedAt">, polledBefore: Instant, now: Instant): Promise<boolean>
  /**
   * Settlement: records a payment update in one transaction: event, ledger entry, invoice and order, and enqueues
   * provisioning when the order becomes paid. Idempotent per gateway and event key; a repeated update that was fetched counts
   * if another one has replaced its status since. `tolerance`: tolerated underpayment in basis points of the total, 0 by
   * default.
   */
  recordPaymentUpdate(
    gateway: GatewayId,
    update: PaymentUpdate,
    at: Instant,
    tolerance?: number,
  ): Promise<PaymentUpdateResult>
  /**
   * Turns unapplied payments of up to `limit` cancelled, expired or flagged orders into account credit of their
   * customers, `LATE_PAYMENT_GRACE` after the deadline. Returns the number of invoices processed: none if an external billing takes the
   * payments, since the credit is there.
   */
  creditUnappliedPayments(now: Instant, limit: number): Promise<number>
  /** Keeps what the payment of an attempt is found by on its network. Idempotent: those that are known stay as they are. */
  keepCoinReferences(attemptId: string, references: readonly CoinReference[], at: Instant): Promise<void>
  /** Stores a signed payment update that could not be applied. A repeated `eventKey` increments its count only. */
  recordUnapplied(report: UnappliedReport, at: Instant): Promise<void>
  /**
   * Counts a rejected callback by day of the shop's calendar. `reason` must contain nothing of the request. The first
   * `STORED_OF_A_DAY` of a gateway, day and reason are stored as they were `sent`, of all `STORED_IN_ALL`, the newest ones: a flood
   * fills no disk. Signatures, secrets and e-mail addresses are not stored.
   */
  recordRejectedCallback(gateway: GatewayId, reason: string, day: Day, sent?: SentCallback): Promise<void>
  /** Retention: deletes rejected callbacks that were sent before. */
  deleteRejectedCallbacks(before: Instant): Promise<void>
  /**
   * Usable account credit of a customer in a currency, within `scope` (default: `account`). Zero if there is none, or if an external
   * billing takes the payments.
   */
  accountCredit(customerId: string, currency: Currency, scope?: AccountCreditScope): Promise<Money>
}

/** A rejected callback: names of headers in lower case, the raw bytes of its body, and its sender's IP address if it is known. */
export type SentCallback = {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  readonly address: string | null
  readonly at: Instant
}

/** A payment created at the gateway. `endsAt`: when the gateway stops accepting money, if it reports that. */
export type OpenedAttempt = { paymentId: string; url: string; endsAt?: Instant }

/** Maximum payment attempts of one order: more than a buyer needs, so that one order cannot flood a provider. */
export const MAX_ATTEMPTS = 40

export class TooManyAttempts extends Error {
  override name = "TooManyAttempts"
}

export type UnappliedReport = {
  readonly gateway: GatewayId
  /** Unique per event at the gateway: deduplicates repeated reports. */
  readonly eventKey: string
  readonly reason: UnappliedReason
  /** Attempt id in the report, which may be unknown to us; null if it cannot be read. */
  readonly attemptId: string | null
  /** Summary of the report for the operator; no personal data of the buyer. */
  readonly detail: string
  /** What it reports; absent if it cannot be read. */
  readonly update?: PaymentUpdate | undefined
  /** The provider's id of the payment or transaction, if the report names one. */
  readonly paymentId?: string | null | undefined
}

export type AttemptRequest = {
  orderId: string
  gateway: GatewayId
  /** Cryptocurrency of the on-site payment; null: the buyer chooses on the gateway's page. */
  coin: string | null
  amount: Money
  /** Whether a partially paid attempt accepts the rest. */
  takesTopUps?: boolean
  id: string
  at: Instant
}

export type Attempt = {
  readonly id: string
  readonly orderId: string
  readonly gateway: GatewayId
  readonly coin: string | null
  readonly amount: Money
  /** Amount received less refunds. */
  readonly received: Money
  readonly status: PaymentStatus
  /** The provider's payment id and the buyer's payment URL; null until the provider has created the payment. */
  readonly paymentId: string | null
  readonly url: string | null
  readonly openedAt: Instant
  /** When the provider stops accepting money; null if unknown. */
  readonly endsAt: Instant | null
  readonly polledAt: Instant
  /** When the buyer first came back from the provider; null: not yet. */
  readonly returnedAt: Instant | null
}

export type PaymentState = Pick<Order, "status" | "total" | "received" | "credited"> & {
  /** Number of the order's timeline events. */
  readonly events: number
  /** The latest attempt with the order's current gateway. */
  readonly attempt: Attempt | null
}

export type PaymentUpdateResult =
  /** `isPaid`: the order has become paid by it. */
  | {
      readonly kind: "applied"
      readonly orderId: string
      readonly event: TimelineKind | null
      readonly isPaid: boolean
    }
  | { readonly kind: "duplicate"; readonly orderId: string }
  /** No attempt at this gateway has the id: nothing changes. */
  | { readonly kind: "unknown-attempt" }
  /** An amount has another currency than the invoice: nothing changes. */
  | { readonly kind: "currency-mismatch"; readonly orderId: string }
