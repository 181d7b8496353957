import type { Instant } from "~/domain/calendar"
import type { AuthenticatedCustomer } from "~/domain/customer"

/** Where sessions are ended before their cookies have run out. Every call may throw a `BillingError`. */
export interface SessionRepository {
  /** Ends a session: every copy of its cookie, until an instant at which the last of them has run out. */
  end(id: string, until: Instant): Promise<void>
  /**
   * Whether a session has been ended: by itself, or with all those of a customer whose account it is signed in to, or
   * whose order or service it has. What it has must be of `asOf` or later to outlast that.
   */
  isEnded(session: KnownSession): Promise<boolean>
  /** Forgets sessions that were ended and whose cookies have run out by themselves. Answers how many there were. */
  deleteEndedSessions(now: Instant): Promise<number>
}

export type KnownSession = {
  readonly id: string
  /** When the session was last known not to have been ended. */
  readonly asOf: Instant
  readonly customer: AuthenticatedCustomer | null
  readonly orderId: string | null
  readonly serviceIds: readonly string[]
}
