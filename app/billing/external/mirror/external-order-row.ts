import type { Instant } from "~/domain/calendar"

/**
 * An order's state in external billing. `wanted`: perhaps not created yet. `made`: created. `closed`: created and
 * cancelled. `unknown`: created, and external billing has it no more.
 */
export type ExternalOrderRow = {
  order_id: string
  state: "wanted" | "made" | "closed" | "unknown"
  their_order_id: string | null
  their_invoice_id: string | null
  /** Payment link, if external billing returned one on creation. */
  link: string | null
  /** Number of attempts to create the order. */
  tries: number
  /** Until when a creating call may still take effect, even of a crashed process; no second call before. */
  claimed_until: Instant
  /** End of the lease of the process that works on it, unless renewed. */
  held_until: Instant
  /** Holder of the lease; null in rows older than this column. */
  held_by: string | null
  /** When to poll external billing for its status. */
  poll_after: Instant
}
