import type { Instant } from "~/domain/calendar"
import type { OrderStatus } from "~/domain/order-status"

/** What the operator's instruments read of the books; every reading is small however large the books are. */
export type BillingStats = {
  /** Orders placed within a time, by the status they have now. */
  readonly orders: Readonly<Record<OrderStatus, number>>
  /** Since when the order has been paid that has waited longest to be set up; null when none waits. */
  readonly paidSince: Instant | null
  readonly jobs: { readonly waiting: number; readonly parked: number }
  /** Since when the job has been due that is due longest; null when none is. */
  readonly dueSince: Instant | null
}

/** The connections to a database server at this moment. */
export type PoolStats = {
  readonly idle: number
  readonly busy: number
  /** Who waits for one to become free. */
  readonly waiting: number
}
