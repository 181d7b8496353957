import type { Instant } from "~/domain/calendar"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"

/** Port of session revocation: ends sessions before their cookies expire. Every call may throw a `BillingError`. */
export interface SessionRepository {
  /** Revokes a session with every copy of its cookie. `until`: when the last copy has expired. Idempotent. */
  end(id: string, until: Instant): Promise<void>
  /**
   * Whether a session is revoked: individually, or with all sessions of a customer whose account it is authenticated
   * for, or whose order or service it holds. A session checked at or after a customer's revocation (`asOf`) is not
   * affected by it.
   */
  isEnded(session: KnownSession): Promise<boolean>
  /**
   * Revokes all sessions of a customer that were last known to be valid before `at`, with those that only hold an order or a
   * service of the customer. A `sign-up` customer ends the sessions of that scope alone. Idempotent.
   */
  endAllOf(customer: AuthenticatedCustomer, at: Instant): Promise<void>
  /** Deletes revocations whose cookies have all expired. Returns how many were deleted. */
  deleteEndedSessions(now: Instant): Promise<number>
}

export type KnownSession = {
  readonly id: string
  /** When the session was last known to be valid. */
  readonly asOf: Instant
  readonly customer: AuthenticatedCustomer | null
  readonly orderId: string | null
  readonly serviceIds: readonly string[]
}
