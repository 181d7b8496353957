import type { Day, Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { Currency, Money } from "~/domain/money"
import type { CreditScope } from "~/domain/order"
import type { PaymentStatus, PaymentUpdate, UnappliedReason } from "~/domain/payment"
import type { TimelineKind } from "~/domain/timeline"

/** Where attempts to pay and the ledger of money received are kept. Every call may throw a `BillingError`. */
export interface PaymentRepository {
  /**
   * The attempt to pay this amount of this order with this gateway: the one that still takes it (`takesPayment`), or a
   * new one. Throws `TooManyAttempts` where an order has had as many as an order may have. Written before the gateway is asked, so that whatever the gateway does can be found again.
   */
  findOrCreateAttempt(request: AttemptRequest): Promise<Attempt>
  /** The gateway has opened the payment: its name for it and where the buyer goes. The order is handed off. */
  markAttemptOpened(id: string, payment: OpenedAttempt, at: Instant): Promise<void>
  /** The latest attempt with the gateway the order is to be paid by. */
  latestAttempt(orderId: string): Promise<Attempt | null>
  /** Opened attempts of an order that are still undecided, with whichever gateway, oldest first. */
  openAttempts(orderId: string): Promise<readonly Attempt[]>
  /**
   * The buyer wants to pay by another gateway: noted on the order and told. False when the order takes no money
   * any more, or is with this gateway already.
   */
  changeGateway(orderId: string, gateway: GatewayId, at: Instant): Promise<boolean>
  /** The provider takes no money for this attempt any more. Money that has come, or comes after all, counts. */
  markAttemptClosed(id: string): Promise<void>
  /** The order that the address that was given to the gateway with an attempt leads to, and whether it has been used; null: no such attempt. Uses nothing up. */
  returnOf(attemptId: string): Promise<{ orderId: string; used: boolean } | null>
  /**
   * The buyer has come back by that address. `first` is true once
   * per attempt. Null: no such attempt.
   */
  redeemReturnToken(attemptId: string, at: Instant): Promise<{ orderId: string; first: boolean } | null>
  /**
   * Opened, undecided attempts at a gateway that are due to be asked about (`nextAsking`), the longest due first, of
   * orders that money may still pay.
   */
  attemptsDueForPolling(gateway: GatewayId, now: Instant, limit: number): Promise<readonly Attempt[]>
  /** Notes that a gateway is being asked now. False: somebody else asked since `askedBefore`, so do not. */
  claimPoll(id: string, polledBefore: Instant, now: Instant): Promise<boolean>
  /**
   * Books news of a payment: event, movement, invoice and order in one transaction, and the job that sets up
   * the service when the invoice becomes paid. The same event key changes nothing twice. `tolerance`: hundredths of
   * a percent of the total that may be missing; none unless said.
   */
  recordPaymentUpdate(
    gateway: GatewayId,
    update: PaymentUpdate,
    at: Instant,
    tolerance?: number,
  ): Promise<PaymentUpdateResult>
  /**
   * Makes what has come for orders that have come to nothing, and has not paid them within the grace for late money,
   * credit of their customers. Answers how many there were, `most` at a time.
   */
  creditUnappliedPayments(now: Instant, limit: number): Promise<number>
  /** Keeps a report that a gateway has signed and that could not be booked; the same one again only counts. */
  recordUnapplied(report: UnappliedReport, at: Instant): Promise<void>
  /** Counts a callback that was refused, by day of the shop's calendar; `reason` holds nothing of what was sent. */
  recordRejectedCallback(gateway: GatewayId, reason: string, day: Day): Promise<void>
  /** What may be used of a customer's account credit in a currency: all of it unless `scope` says less. Nothing is zero. */
  credit(customerId: string, currency: Currency, scope?: CreditScope): Promise<Money>
}

/** What the gateway has opened; `endsAt`: when it takes no more money for it, where it says so. */
export type OpenedAttempt = { paymentId: string; url: string; endsAt?: Instant }

/** So many payments are not opened for one order by somebody who wants to pay it. */
export const MAX_ATTEMPTS = 40

export class TooManyAttempts extends Error {
  override name = "TooManyAttempts"
}

export type UnappliedReport = {
  readonly gateway: GatewayId
  /** The same report has the same key. */
  readonly eventKey: string
  readonly reason: UnappliedReason
  /** The attempt it names, which need not be one of ours; null where that cannot be read. */
  readonly attemptId: string | null
  /** What it says, for the operator; nothing of the buyer. */
  readonly detail: string
}

export type AttemptRequest = {
  orderId: string
  gateway: GatewayId
  /** What it is to be paid in on our own page; null leaves it to the gateway's. */
  coin: string | null
  amount: Money
  /** Whether one that has brought part of its amount takes the rest. */
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
  /** What has come of it, less what was refunded. */
  readonly received: Money
  readonly status: PaymentStatus
  /** The provider's name for the payment and the buyer's link to it; null until the provider has opened it. */
  readonly paymentId: string | null
  readonly url: string | null
  readonly openedAt: Instant
  /** When the provider takes no more money for it; null where it has not said so. */
  readonly endsAt: Instant | null
  readonly polledAt: Instant
}

export type PaymentUpdateResult =
  | { readonly kind: "applied"; readonly orderId: string; readonly event: TimelineKind | null }
  | { readonly kind: "duplicate"; readonly orderId: string }
  /** No attempt of ours has that name: nothing changes. */
  | { readonly kind: "unknown-attempt" }
  /** Another currency than the attempt's: nothing changes. */
  | { readonly kind: "currency-mismatch"; readonly orderId: string }
