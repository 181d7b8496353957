import type { Instant } from "~/domain/calendar"
import type { OrderStatus } from "~/domain/orders/order-status"

/** Gauges of the database for the operator's metrics. Each is a small query, whatever the size of the database. */
export type BillingStats = {
  /** Number of orders placed within a period, by current status. */
  readonly orders: Readonly<Record<OrderStatus, number>>
  /** When the paid order that has waited longest for provisioning was paid; null if none waits. */
  readonly paidSince: Instant | null
  readonly jobs: { readonly waiting: number; readonly parked: number }
  /** Due date of the job that is longest overdue; null if none is. */
  readonly dueSince: Instant | null
  /** When the brake was put on that stops suspensions; null if it is off. */
  readonly brakeSince: Instant | null
  /** Due date of the step of a service (a reminder, suspension, termination) that is longest overdue; null if none is. */
  readonly stepDueSince: Instant | null
}

/** Number of connections in the connection pool of a database server. */
export type PoolStats = {
  readonly idle: number
  readonly busy: number
  /** Requests that wait for a free connection. */
  readonly waiting: number
}
