import { includes } from "../includes"
import type { Money } from "../money/money"
import { mayDo, type OperatorAction, type OperatorRole } from "../operators/operator"
import { type PaymentStatus, unsettledStatuses } from "../payments/payment"
import type { Order } from "./order"
import { next } from "./order-status"
import { type WaivableOrder, waivableRest } from "./waived-rest"

/** What operators do with one order, in the order in which its page offers it: what destroys comes last. */
export const orderActions = [
  "retry-job",
  "poll-order",
  "release-order",
  "mark-order-paid",
  "waive-rest",
  "refund-order",
  "resend-mail",
  "dismiss-refund",
  "dismiss-chargeback",
  "discard-job",
  "refuse-order",
  "cancel-order",
] as const satisfies readonly OperatorAction[]
export type OrderAction = (typeof orderActions)[number]

/** Whether a form names an action on an order. */
export function isOrderAction(text: string): text is OrderAction {
  return includes(orderActions, text)
}

type JobState = { readonly state: "waiting" | "parked" | "done" | "discarded"; readonly tries: number }

/** What decides which actions an order allows. */
export type OrderState = {
  readonly order: Pick<Order, "status" | "decision"> & WaivableOrder
  readonly refundable: { readonly credit: Money; readonly outside: Money; readonly received: Money }
  readonly attempts: readonly { readonly status: PaymentStatus }[]
  readonly jobs: readonly JobState[]
  readonly mails: readonly unknown[]
  readonly gatewayRefunds: readonly { readonly state: "waiting" | "sent" | "refused" | "dismissed" }[]
  /** What a gateway has taken back by itself; null: nothing. */
  readonly chargeback: { readonly isOpen: boolean } | null
}

const rules: Readonly<Record<OrderAction, (state: OrderState) => boolean>> = {
  "retry-job": ({ jobs }) => jobs.some(isRetryable),
  "poll-order": ({ attempts }) => attempts.some(({ status }) => unsettledStatuses.includes(status)),
  "release-order": ({ order }) => isHeld(order),
  "refuse-order": ({ order }) => isHeld(order),
  "mark-order-paid": ({ order }) => next(order.status, "paid") !== undefined,
  "waive-rest": ({ order }) => waivableRest(order) !== null,
  "refund-order": ({ refundable: { credit, outside, received } }) =>
    received.minor + credit.minor + outside.minor > 0,
  "resend-mail": ({ mails }) => mails.length > 0,
  "dismiss-refund": ({ gatewayRefunds }) => gatewayRefunds.some(({ state }) => state === "refused"),
  "dismiss-chargeback": ({ chargeback }) => chargeback?.isOpen === true,
  "discard-job": ({ jobs }) => jobs.some(({ state }) => state === "parked"),
  "cancel-order": ({ order }) => next(order.status, "aborted") !== undefined,
}

/** A job that failed, or was discarded. */
export function isRetryable({ state, tries }: JobState): boolean {
  return state === "parked" || state === "discarded" || (state === "waiting" && tries > 0)
}

function isHeld({ status, decision }: Pick<Order, "status" | "decision">): boolean {
  return status === "fraud" && decision === null
}

/** Actions that the state of an order allows to a role. */
export function orderActionsFor(role: OperatorRole, state: OrderState): readonly OrderAction[] {
  return orderActions.filter((action) => mayDo(role, action) && rules[action](state))
}
