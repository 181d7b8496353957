import { BillingError } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"

/**
 * Runs a step; returns `paused` if the billing backend is unavailable. The visitor keeps the selection, and ordering is
 * paused for everyone. Other errors are rethrown.
 */
export async function orPauseOrdering<T, P>(
  { log, catalogue }: Pick<LoggedServices, "log" | "catalogue">,
  step: () => Promise<T>,
  paused: P,
): Promise<T | P> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind === "refused") throw error
    if (catalogue.isExternal) log.error({ err: error }, "external billing unavailable during request")
    else log.error({ err: error }, "database unavailable during request")
    catalogue.pause(error)
    return paused
  }
}
