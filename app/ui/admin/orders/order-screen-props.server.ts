import type { JobListed, MailListed, OrderDetails } from "~/billing/orders/order-admin"
import type { GatewayRefund } from "~/billing/payments/gateway-refunds"
import type { IssuedDocument } from "~/domain/accounting/tax-document"
import type { Money } from "~/domain/money/money"
import type { OrderAction } from "~/domain/orders/order-actions"
import type { TimelineSource } from "~/domain/orders/timeline"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { ActionNotice, ProofAsked } from "../form-parts.server"
import type { OpenRequest } from "../operators/open-requests.server"

export type OrderScreenProps = {
  view: OrderDetails & {
    readonly jobs: readonly JobListed[]
    readonly mails: readonly MailListed[]
    readonly gatewayRefunds: readonly GatewayRefund[]
    /** Invoices and credit notes, oldest first. */
    readonly documents: readonly IssuedDocument[]
    readonly hasProforma: boolean
    /** The lines of the order, each with its amount. */
    readonly lines: readonly string[]
    readonly happened: readonly HappenedLine[]
  }
  /** What the state of the order allows to the operator. */
  actions: readonly OrderAction[]
  /** Actions that need password and code of the last 10 minutes. */
  provenActions: readonly OrderAction[]
  mayNote: boolean
  /** What waits for a second operator. */
  requests: readonly OpenRequest[]
  mayEndService: boolean
  /** An external billing system has the order, and learns of no refund. */
  isBilledElsewhere: boolean
  /** Gateways that can pay money of the order back, the first one first. */
  refundWays: readonly {
    readonly id: GatewayId
    /** What is left of the payment. */
    readonly received: Money
    readonly needsAddress: boolean
    readonly isWholeOnly: boolean
  }[]
  /** What the operator sees: an action on another state is refused. */
  seen: string
  /** The same, for the form that sends a message again. */
  seenWithMails: string
  /** A new key for each form. */
  newKey: () => string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused. */
  typed: {
    readonly action: string
    readonly reason: string
    readonly amount: string
    readonly address: string
    readonly throughGateway: boolean
    readonly toCredit: boolean
    readonly text: string
    readonly target: string
    readonly endsService: boolean
    readonly force: boolean
  } | null
  timeZone: string
}

export type HappenedLine = {
  readonly at: number
  readonly what: TimelineSource
  readonly name: string
  readonly detail: string
}
