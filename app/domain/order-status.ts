/** Every status an order can have, and where each event takes it. What is not listed changes nothing. */
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
  paid: { provisioned: "active" },
  active: {},
  // Money that comes after all is never refused: the order goes on (design, section 5).
  cancelled: { paid: "paid" },
  expired: { paid: "paid" },
  // The operator lets it go on, at a price the buyer has agreed to.
  fraud: { released: "placed" },
} as const

export type OrderStatus = keyof typeof transitions
export type OrderEvent = { [S in OrderStatus]: keyof (typeof transitions)[S] }[OrderStatus]

export const orderStatuses = Object.keys(transitions) as [OrderStatus, ...OrderStatus[]]

/** Where an event takes an order; undefined when it changes nothing from there. */
export function next(status: OrderStatus, event: OrderEvent): OrderStatus | undefined {
  const moves: Partial<Record<OrderEvent, OrderStatus>> = transitions[status]
  return moves[event]
}

/** The statuses an event moves an order out of: the condition under which books may carry it out. */
export function statusesBefore(event: OrderEvent): readonly OrderStatus[] {
  return orderStatuses.filter((status) => next(status, event) !== undefined)
}

/** The statuses in which money is expected. */
export const payableStatuses: readonly OrderStatus[] = ["placed", "awaiting-payment", "partially-paid"]

/** The statuses of an order that has come to nothing. */
export const unpaidFinalStatuses: readonly OrderStatus[] = ["cancelled", "expired", "fraud"]

/** The statuses of an order that has been paid: what it is for is the buyer's. */
export const paidStatuses: readonly OrderStatus[] = ["paid", "active"]

export type Screen = "checkout" | "creatingOrder" | "waiting" | "success"

/**
 * The screens on which an order in a status may be seen; the first is the one every other screen leads to.
 * The checkout is open again once an order needs nothing more from the buyer.
 */
export const screensByStatus = {
  placed: ["creatingOrder"],
  "awaiting-payment": ["waiting"],
  "partially-paid": ["waiting"],
  paid: ["success"],
  active: ["success", "checkout", "creatingOrder"],
  cancelled: ["checkout", "creatingOrder"],
  expired: ["waiting", "checkout", "creatingOrder"],
  // He reads why, and may choose again: whatever he orders then is looked at again.
  fraud: ["creatingOrder", "checkout"],
} as const satisfies Record<OrderStatus, readonly [Screen, ...Screen[]]>

/** Where a visitor on a screen belongs: null when he is right there. No order: the checkout, or the order being made. */
export function screenFor(screen: Screen, status: OrderStatus | null): Screen | null {
  const open: readonly [Screen, ...Screen[]] = status
    ? screensByStatus[status]
    : ["checkout", "creatingOrder"]
  return open.includes(screen) ? null : open[0]
}
