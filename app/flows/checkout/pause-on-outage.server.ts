import { BillingError } from "~/billing/billing"
import type { Services } from "~/context/services.server"

/**
 * What a step comes to, or `paused` where the books do not answer it: the visitor keeps what he has chosen and
 * typed, and the next visitor is told before. What they refuse is thrown on.
 */
export async function orPauseOrdering<T, P>(
  { log, catalogue }: Pick<Services, "log" | "catalogue">,
  step: () => Promise<T>,
  paused: P,
): Promise<T | P> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind === "refused") throw error
    log.error({ err: error }, "database unavailable during request")
    catalogue.pause()
    return paused
  }
}
