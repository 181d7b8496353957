import type { Services } from "~/context/services.server"
import { normalizeEmail } from "~/domain/email"
import type { RateLimitResult, RateLimitSubject } from "~/security/rate-limits.server"

/** Rate-limits orders. */
export async function limitOrders(
  { rateLimits, log }: Services,
  { email, ...who }: RateLimitSubject & { email: string | null },
): Promise<RateLimitResult> {
  const allowed = await rateLimits.order({ ...who, email: email && normalizeEmail(email) })
  if (!allowed.ok) log.warn({ limit: "order", address: who.address }, "rate limit exceeded")
  return allowed
}
