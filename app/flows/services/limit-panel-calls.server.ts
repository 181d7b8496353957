import type { LoggedServices } from "~/context/services.server"
import type { RateLimitResult } from "~/security/rate-limits.server"

/** Rate-limits what the customer of a service asks of its panel: restarts, new credentials and other devices together. */
export async function limitPanelCalls(
  { rateLimits, log }: Pick<LoggedServices, "rateLimits" | "log">,
  serviceId: string,
): Promise<RateLimitResult> {
  const allowed = await rateLimits.panelCall(serviceId)
  if (!allowed.ok) log.warn({ limit: "panel-call", serviceId }, "rate limit exceeded")
  return allowed
}
