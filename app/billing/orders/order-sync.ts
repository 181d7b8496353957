import type { Instant } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"

/**
 * Port between the orders of this shop and those of an external billing system; embedded billing has none. Every call may
 * throw a `BillingError`.
 */
export interface OrderSync {
  /**
   * Ensures that external billing has the order too: resumes what `placeOrder` or `addInvoice` did not complete.
   * Returns the current order; null while it is unknown whether external billing has it (see `isBeingPlaced`).
   */
  completeOrder(order: Order): Promise<Order | null>
  /** Whether a call that creates the order in external billing may be in progress; the order is not payable yet. */
  isBeingPlaced(orderId: string): Promise<boolean>
  /**
   * Reconciliation sweep: reads up to `limit` open orders from external billing and applies their status to the mirror.
   * Returns the ids of those that have changed, which are paid or cancelled.
   */
  reconcileExternalOrders(now: Instant, limit: number): Promise<readonly string[]>
}
