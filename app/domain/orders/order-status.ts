import type { Money } from "../money/money"

/** State table of orders: status, event, next status. Missing events change nothing. */
const transitions = {
  placed: {
    handedOff: "awaiting-payment",
    partlyPaid: "partially-paid",
    paid: "paid",
    flagged: "fraud",
    aborted: "cancelled",
    deadlinePassed: "expired",
  },
  "awaiting-payment": {
    partlyPaid: "partially-paid",
    paid: "paid",
    flagged: "fraud",
    aborted: "cancelled",
    deadlinePassed: "expired",
  },
  "partially-paid": { paid: "paid", aborted: "cancelled", deadlinePassed: "expired" },
  // Only without money in it: see `isDeclinable`.
  paid: { provisioned: "active", declined: "cancelled" },
  active: {},
  // A late payment is accepted: the order continues (specification, Payments).
  cancelled: { paid: "paid" },
  expired: { paid: "paid" },
  // Released by the operator, at a price the buyer accepted.
  fraud: { released: "placed" },
} as const

export type OrderStatus = keyof typeof transitions
export type OrderEvent = { [S in OrderStatus]: keyof (typeof transitions)[S] }[OrderStatus]

export const orderStatuses = Object.keys(transitions) as [OrderStatus, ...OrderStatus[]]

/** Status after an event; undefined if the event changes nothing. */
export function next(status: OrderStatus, event: OrderEvent): OrderStatus | undefined {
  const moves: Partial<Record<OrderEvent, OrderStatus>> = transitions[status]
  return moves[event]
}

/** Statuses in which an event applies: the condition of the conditional update. */
export function statusesBefore(event: OrderEvent): readonly OrderStatus[] {
  return orderStatuses.filter((status) => next(status, event) !== undefined)
}

/**
 * Whether a paid order is cancelled if external billing does not make it. Only one for which nothing was to be paid: with money in
 * it, it stays as it is for a person who decides.
 */
export function isDeclinable({ total }: { readonly total: Money }): boolean {
  return total.minor === 0
}

/** Statuses in which an order can be paid. */
export const payableStatuses: readonly OrderStatus[] = ["placed", "awaiting-payment", "partially-paid"]

/** Terminal or held statuses of an unpaid order. */
export const unpaidFinalStatuses: readonly OrderStatus[] = ["cancelled", "expired", "fraud"]

/** Statuses of a paid order. */
export const paidStatuses: readonly OrderStatus[] = ["paid", "active"]

export type Screen = "checkout" | "creatingOrder" | "waiting" | "success"

/**
 * Screens of an order by status; all other screens redirect to the first. The checkout is open again once an order needs
 * nothing more from the buyer.
 */
export const screensByStatus = {
  placed: ["creatingOrder"],
  "awaiting-payment": ["waiting"],
  "partially-paid": ["waiting"],
  paid: ["success"],
  active: ["success", "checkout", "creatingOrder"],
  cancelled: ["checkout", "creatingOrder"],
  expired: ["waiting", "checkout", "creatingOrder"],
  // The buyer sees the reason and may order again; a new order is checked again.
  fraud: ["creatingOrder", "checkout"],
} as const satisfies Record<OrderStatus, readonly [Screen, ...Screen[]]>

/** Screen to redirect to from `screen`; null to stay. Without an order: the checkout, or the review step. */
export function screenFor(screen: Screen, status: OrderStatus | null): Screen | null {
  const open: readonly [Screen, ...Screen[]] = status
    ? screensByStatus[status]
    : ["checkout", "creatingOrder"]
  return open.includes(screen) ? null : open[0]
}
