import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { TimelineEvent } from "~/domain/orders/timeline"
import type { CoinReference } from "~/domain/payments/coin-reference"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { PaymentStatus, UnappliedReason } from "~/domain/payments/payment"
import type { Service, SuspensionOwner } from "~/domain/services/service"
import type { MailState, MessageName } from "~/domain/shop/mail"
import type { Job } from "../outbox"
import type { AccountCreditCause } from "../payments/account-credit-cause"
import type { Attempt } from "../payments/payment-repository"
import type { OrderSearch } from "./order-search"

/** Port of what operators see of orders and do with them. Every call may throw a `BillingError`. */
export interface OrderAdmin extends OrderSearch {
  /** All stored data of one order; null for an unknown id. */
  order(id: string): Promise<OrderDetails | null>
  /** Adds an internal note. False for an unknown order. */
  addOrderNote(orderId: string, note: NewOrderNote): Promise<boolean>
  /** Adds a tag once. False for an unknown order. */
  addOrderTag(orderId: string, tag: NewOrderTag): Promise<boolean>
  /** Removes a tag. False if the order has none of this name. */
  removeOrderTag(orderId: string, tag: string): Promise<boolean>
  /**
   * Records money that was paid back outside the gateways' reports, or gives it as account credit (`toCredit`): ledger, invoice and
   * account credit follow, a credit note is issued, and the customer gets the message of a refund. Paid back is what a payment has
   * received, or what the operator has received elsewhere; account credit is what the order had used, first of all, what the operator has
   * received elsewhere, and what payments have received. The same key is recorded once.
   */
  recordRefund(orderId: string, refund: NewRefund): Promise<RefundResult>
  /**
   * Completes an order that lacks a little (`waivableRest`): it is paid with what was received, and nothing is booked for the rest, which
   * its timeline names. `changed`: `rest` is not what can be waived, as when more has arrived meanwhile.
   */
  waiveRest(orderId: string, waived: WaivedRest): Promise<RestWaived>
  /** Ends an active or suspended service, and a paid one that is being set up. False if nothing has changed. */
  terminateService(id: string, termination: Termination): Promise<boolean>
  /** Lists failed jobs; with `number` (id of an order or a job) its unfinished jobs, also without a failure. */
  jobs(number?: string): Promise<readonly JobListed[]>
  /** A batch of failed jobs behind a place, longest waiting first; with `newer` those before it, in the other direction. */
  failedJobs(range: JobRange): Promise<readonly JobListed[]>
  /** Makes jobs due now and resets their tries. Returns their number; jobs claimed by a worker are skipped. */
  retryJobs(ids: readonly string[], at: Instant): Promise<number>
  /** Discards a parked job. Returns false if it is not parked. */
  discardJob(id: string): Promise<boolean>
  /** Messages of an order or a customer, newest first. */
  mails(filter: MailFilter): Promise<readonly MailListed[]>
}

export type OrderDetails = {
  readonly order: Order
  readonly email: string
  /** IP address the order was placed from; null if unknown. */
  readonly address: string | null
  /** Affiliate whose link the buyer followed; null if none. */
  readonly affiliateId: string | null
  readonly service: Service | null
  /** Payments that were opened, oldest first. */
  readonly attempts: readonly Attempt[]
  /** Reports of the gateways that were applied, oldest first. */
  readonly callbacks: readonly CallbackListed[]
  readonly movements: readonly LedgerEntry[]
  /** Account credit that it has used, or that came of it, oldest first. */
  readonly creditMovements: readonly OrderCreditMovement[]
  /** Refunds as account credit, and of what no gateway has received, oldest first. */
  readonly refunds: readonly OrderRefund[]
  readonly refundable: Refundable
  /** All that was refunded, or is on its way. */
  readonly refunded: Money
  /** What a gateway has taken back by itself, and has not given again; null: nothing. */
  readonly chargeback: Chargeback | null
  /** By what its payments in coins are found on their networks, oldest first. */
  readonly coinReferences: readonly CoinReferenceListed[]
  /** Signed payment updates that could not be applied. */
  readonly unapplied: readonly UnappliedReportListed[]
  /** The customer's account credit from all orders, one amount per currency. */
  readonly accountCredit: readonly Money[]
  readonly timeline: readonly TimelineEvent[]
  /** Oldest first. */
  readonly notes: readonly OrderNote[]
  readonly tags: readonly string[]
}

/** `operator`: e-mail, or "admin CLI". */
export type NewOrderNote = { readonly text: string; readonly operator: string; readonly at: Instant }
export type OrderNote = NewOrderNote & { readonly id: string }
export type NewOrderTag = { readonly tag: string; readonly operator: string; readonly at: Instant }

export type NewRefund = {
  readonly key: string
  readonly amount: Money
  /** The customer gets it as account credit; absent: the operator has paid it back. */
  readonly toCredit?: boolean | undefined
  readonly reason: string
  readonly at: Instant
  readonly refundedBefore?: RefundedBefore
}

export type WaivedRest = { readonly rest: Money; readonly reason: string; readonly at: Instant }

/** `refund-under-way`: a gateway is paying back a part of the order, and nobody knows what will be due. */
export type RestWaived = "waived" | "changed" | "refund-under-way"

/**
 * What was refunded of the order, in minor units, when it was decided that a further refund needs no second operator: nothing is
 * refunded if it is more by now. Absent: a second operator has confirmed it.
 */
export type RefundedBefore = number | undefined

/** Where a refund has gone that no gateway has paid: to account credit, or the operator has paid it back. */
export type RefundTarget = "credit" | "outside"

export type OrderRefund = {
  readonly target: RefundTarget
  readonly amount: Money
  /** The part that the operator had received outside the gateways. */
  readonly outside: Money
  readonly reason: string
  readonly at: Instant
}

/**
 * What a gateway has reported as paid back of a paid order though no refund was asked for here: a chargeback, or a refund that was made at
 * the gateway. `amount`: above zero; `at`: of the first report. `gateway` is null only for an order
 * without one. `isOpen`: nobody has dealt with it; the service goes on. What is open is named without what was dealt with before.
 */
export type Chargeback = {
  readonly amount: Money
  readonly at: Instant
  readonly gateway: GatewayId | null
  readonly isOpen: boolean
}

/** What can be refunded of an order. */
export type Refundable = {
  /** As account credit, however it was paid. */
  readonly credit: Money
  /** Of what the operator has received outside the gateways. */
  readonly outside: Money
  /** Of what payments have received, through the gateways or by hand: without what a refund has given as account credit of it. */
  readonly received: Money
}

export type Termination = {
  /** Who ends it; `reseller`: a line that was not used. */
  readonly owner: SuspensionOwner | "reseller"
  readonly reason: string | null
  readonly at: Instant
}

export type RefundResult =
  /** `repeated`: this key was recorded before. `gateway`: of the payment; null: no payment was refunded. */
  | { readonly kind: "recorded" | "repeated"; readonly gateway: GatewayId | null }
  /** Not as much is left: `received` is the most that can be refunded at once. */
  | { readonly kind: "too-much"; readonly received: Money }
  /** The external billing system has the customers' account credit. */
  | { readonly kind: "elsewhere" }
  /** The gateway is paying back money of the payment. */
  | { readonly kind: "refund-under-way" }
  /** Something else was refunded at the same time: see `RefundedBefore`. */
  | { readonly kind: "changed" }
  | { readonly kind: "no-such-order" }

/** Ledger entry: money received for an invoice; negative: refunded. */
export type LedgerEntry = {
  readonly amount: Money
  /** Null: it came outside the gateways, or was paid back there. */
  readonly gateway: GatewayId | null
  readonly transactionId: string | null
  readonly bookedAt: Instant
}

/** What became account credit of an order; negative: it was used for the order, or taken back. */
export type OrderCreditMovement = {
  readonly amount: Money
  readonly cause: AccountCreditCause
  readonly at: Instant
}

/** A payment update that was applied; `received`: all that this payment had received then. */
export type CallbackListed = {
  readonly at: Instant
  readonly gateway: GatewayId
  readonly status: PaymentStatus
  readonly received: Money
  readonly transactionId: string | null
}

/** `at`: when the provider first named it. */
export type CoinReferenceListed = CoinReference & { readonly gateway: GatewayId; readonly at: Instant }

/** A signed payment update that could not be applied; `count`: how often it was received. */
export type UnappliedReportListed = {
  readonly gateway: GatewayId
  readonly reason: UnappliedReason
  readonly detail: string
  readonly count: number
  readonly at: Instant
  /** Null if the report names no known attempt. */
  readonly orderId: string | null
}

/** Job in the operator's list of failed or unfinished jobs. */
export type JobListed = {
  readonly id: string
  readonly topic: Job["topic"]
  readonly state: "waiting" | "parked" | "done" | "discarded"
  readonly tries: number
  readonly due: Instant
  readonly reason: string | null
  /** The order that waits for the job; null if it is not in this database. */
  readonly orderId: string | null
  /** Time of the last try. */
  readonly triedAt: Instant
}

/** The place of a job in the list of failed ones: the time of its last try, and its id. */
export type JobPosition = { readonly at: Instant; readonly id: string }

/** `state`: given up, or retried automatically; absent: both. */
export type JobRange = {
  readonly state?: "parked" | "waiting" | undefined
  readonly beyond?: JobPosition | undefined
  readonly newer?: boolean | undefined
  readonly limit: number
}

export type MailFilter = {
  readonly limit: number
  readonly orderId?: string | undefined
  readonly customerId?: string | undefined
}

/** A message in the operator's list. `email`: the recipient now; null for the operator. */
export type MailListed = {
  readonly id: string
  readonly name: MessageName
  readonly state: MailState
  readonly tries: number
  readonly reason: string | null
  readonly orderId: string | null
  /** Where it was sent, or is going to be: a customer may have got another address since. Null: to the operator. */
  readonly email: string | null
  readonly createdAt: Instant
  readonly settledAt: Instant | null
}
