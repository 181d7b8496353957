import type { LoggedServices } from "~/context/services.server"
import { normalizeEmail } from "~/domain/customers/email"
import type { RateLimitResult, RateLimitSubject } from "~/security/rate-limits.server"

/** Rate-limits orders. `key`: idempotency key of the order, if there is one; its repeats do not count as orders. */
export async function limitOrders(
  { rateLimits, log }: Pick<LoggedServices, "rateLimits" | "log">,
  { email, key, ...who }: RateLimitSubject & { email: string | null; key: string | null },
): Promise<RateLimitResult> {
  const allowed = await rateLimits.order({ ...who, key, email: email && normalizeEmail(email) })
  if (!allowed.ok) log.warn({ limit: "order", address: who.address }, "rate limit exceeded")
  return allowed
}
