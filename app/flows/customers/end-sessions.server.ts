import type { Services } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"

/**
 * Ends all sessions of a customer: every browser that is signed in, or that holds an order or a service of the account.
 * Returns the instant from which sessions are valid again, for the one that asks. Sessions of a sign-up end those of that
 * sign-up alone. Idempotent.
 */
export async function endSessions(
  { sessions, now }: Pick<Services, "sessions" | "now">,
  customer: AuthenticatedCustomer,
): Promise<Instant> {
  const at = now()
  await sessions.endAllOf(customer, at)
  return at
}
