import type { Instant } from "~/domain/calendar"

/**
 * What an order is called in somebody else's books. `wanted`: perhaps not there yet. `made`: there. `closed`: there,
 * and they have been told that it came to nothing.
 */
export type ExternalOrderRow = {
  order_id: string
  state: "wanted" | "made" | "closed"
  their_order_id: string | null
  their_invoice_id: string | null
  /** Where it can be paid, if they said so when it was made. */
  link: string | null
  /** How often it was begun to be made there. */
  tries: number
  /** Until when a call that makes it may be at work there, also one of a process that has died: no second one before. */
  claimed_until: Instant
  /** Until when a process that lives is at it, unless it says so again. */
  held_until: Instant
  /** Which one that is; null: one of before there was this column. */
  held_by: string | null
  /** When to look again how it stands there. */
  poll_after: Instant
}
