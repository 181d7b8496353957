import type { LoggedServices } from "~/context/services.server"
import { loggedLimit, type RateLimitResult, type RateLimits } from "~/security/rate-limits.server"

/**
 * What a customer may do with what they have, and pays nothing for: nothing else limits how often. Every `panel-call` (a restart, new
 * credentials, another device) is a request to the panel, every `renewal-choice` an entry on the service's timeline, and a
 * `line-cancellation` gives back the credits for another line, which calls the panel twice. `limit`: its name in the log.
 */
export type FreeAction =
  | { readonly limit: "panel-call" | "renewal-choice"; readonly serviceId: string }
  | { readonly limit: "line-cancellation"; readonly customerId: string }

/** Counts a free action against its rate limit, before it is carried out. One that exceeds the limit is logged. */
export function limitFreeAction(
  { rateLimits, log }: Pick<LoggedServices, "rateLimits" | "log">,
  action: FreeAction,
): Promise<RateLimitResult> {
  return loggedLimit(log, action, counted(rateLimits, action))
}

function counted(rateLimits: RateLimits, action: FreeAction): Promise<RateLimitResult> {
  switch (action.limit) {
    case "panel-call":
      return rateLimits.panelCall(action.serviceId)
    case "renewal-choice":
      return rateLimits.renewalChoice(action.serviceId)
    case "line-cancellation":
      return rateLimits.lineCancellation(action.customerId)
  }
}
