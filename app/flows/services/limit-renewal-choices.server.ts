import type { LoggedServices } from "~/context/services.server"
import type { RateLimitResult } from "~/security/rate-limits.server"

/** Rate-limits what the customer of a service decides about its renewal, all together: each choice is an entry on its timeline. */
export async function limitRenewalChoices(
  { rateLimits, log }: Pick<LoggedServices, "rateLimits" | "log">,
  serviceId: string,
): Promise<RateLimitResult> {
  const allowed = await rateLimits.renewalChoice(serviceId)
  if (!allowed.ok) log.warn({ limit: "renewal-choice", serviceId }, "rate limit exceeded")
  return allowed
}
