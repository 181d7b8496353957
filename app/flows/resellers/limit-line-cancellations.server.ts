import type { LoggedServices } from "~/context/services.server"
import type { RateLimitResult } from "~/security/rate-limits.server"

/** Rate-limits the lines that a reseller cancels: each line that is made and cancelled calls the panel twice and costs nothing. */
export async function limitLineCancellations(
  { rateLimits, log }: Pick<LoggedServices, "rateLimits" | "log">,
  customerId: string,
): Promise<RateLimitResult> {
  const allowed = await rateLimits.lineCancellation(customerId)
  if (!allowed.ok) log.warn({ limit: "line-cancellation", customerId }, "rate limit exceeded")
  return allowed
}
