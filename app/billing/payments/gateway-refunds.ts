import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { RefundedBefore } from "../orders/order-admin"

/** Port of refunds that a gateway pays. Every call may throw a `BillingError`. */
export interface GatewayRefundRepository {
  /** Stores a refund and enqueues the job that sends it. The same id is stored once. */
  begin(refund: NewGatewayRefund): Promise<BegunRefund>
  /** Null for an unknown id. */
  find(id: string): Promise<GatewayRefund | null>
  /** Oldest first. */
  ofOrder(orderId: string): Promise<readonly GatewayRefund[]>
  /** Records what the provider has accepted: ledger, invoice and account credit follow, and the customer gets the message. */
  sent(id: string, receipt: { readonly claimUrl: string | null; readonly at: Instant }): Promise<void>
  /** Records that the provider has refused it: no money has moved. */
  refused(id: string, refusal: { readonly detail: string; readonly at: Instant }): Promise<void>
  /** Records that nothing more is to be done about a refused refund. False if it is not refused, or dismissed already. */
  dismiss(id: string): Promise<boolean>
}

export type NewGatewayRefund = {
  readonly id: string
  readonly orderId: string
  readonly amount: Money
  /** Gateways that can pay money back, and whether they pay back nothing but the whole payment. */
  readonly gateways: readonly { readonly id: GatewayId; readonly isWholeOnly: boolean }[]
  /** Where the buyer wants the money; null: the gateway needs no address. */
  readonly address: string | null
  readonly reason: string
  readonly endsService: boolean
  readonly at: Instant
  readonly refundedBefore?: RefundedBefore
}

export type BegunRefund =
  | { readonly kind: "begun"; readonly gateway: GatewayId }
  /** A refund with this id was begun before; what has become of it. */
  | ({ readonly kind: "repeated" } & Pick<GatewayRefund, "gateway" | "state" | "detail">)
  /** No payment at these gateways has received as much: `received` is the most of one. */
  | { readonly kind: "too-much"; readonly received: Money }
  /** The gateway pays back `received` and no part of it. */
  | { readonly kind: "whole-only"; readonly received: Money }
  /** Another refund of the payment is on its way. */
  | { readonly kind: "refund-under-way" | "no-such-order" }
  /** Something else was refunded at the same time: see `RefundedBefore`. */
  | { readonly kind: "changed" }

export type GatewayRefund = {
  readonly id: string
  readonly orderId: string
  readonly gateway: GatewayId
  readonly paymentId: string
  readonly amount: Money
  readonly address: string | null
  readonly reason: string
  readonly endsService: boolean
  readonly at: Instant
  /**
   * `waiting`: the gateway has not answered, or says that it is on its way. `dismissed`: refused, and an operator has seen that
   * nothing more is to be done.
   */
  readonly state: "waiting" | "sent" | "refused" | "dismissed"
  /** Page on which the buyer takes the money; null if it is sent. */
  readonly claimUrl: string | null
  /** Why it was refused. */
  readonly detail: string | null
}
