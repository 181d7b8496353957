import type { LoggedServices } from "~/context/services.server"
import { normalizeEmail } from "~/domain/customers/email"
import { loggedLimit, type RateLimitResult, type RateLimitSubject } from "~/security/rate-limits.server"

/** Rate-limits orders. `key`: idempotency key of the order, if there is one; its repeats do not count as orders. */
export function limitOrders(
  { rateLimits, log }: Pick<LoggedServices, "rateLimits" | "log">,
  { email, key, ...who }: RateLimitSubject & { email: string | null; key: string | null },
): Promise<RateLimitResult> {
  const attempt = rateLimits.order({ ...who, key, email: email && normalizeEmail(email) })
  return loggedLimit(log, { limit: "order", address: who.address }, attempt)
}
