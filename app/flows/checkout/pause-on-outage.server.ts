import { isBillingOutage } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"

/** What pausing needs. */
export type PausingServices = Pick<LoggedServices, "log" | "catalogue" | "hasExternalBilling">

/**
 * Runs a step; returns `paused` if the billing backend is unavailable. The visitor keeps the selection, and ordering is
 * paused for everyone, unless billing has asked to repeat this call later. Other errors are rethrown.
 */
export async function orPauseOrdering<T, P>(
  { log, catalogue, hasExternalBilling }: PausingServices,
  step: () => Promise<T>,
  paused: P,
): Promise<T | P> {
  try {
    return await step()
  } catch (error) {
    if (!isBillingOutage(error)) throw error
    if (hasExternalBilling) log.error({ err: error }, "external billing unavailable during request")
    else log.error({ err: error }, "database unavailable during request")
    // It answers, and the call's customer may be the reason. If all calls have to wait, the catalogue's next read tells.
    if (error.retryAfterSeconds === null) catalogue.pause(error)
    return paused
  }
}

/**
 * Asks billing for the plans while ordering is paused, because a visitor wants to order: whatever an earlier call was answered, this one
 * is sent, and ordering resumes for everyone if it is answered. Changes nothing while ordering goes on.
 */
export async function retryOrdering(
  services: PausingServices & Pick<LoggedServices, "billing">,
): Promise<void> {
  const { catalogue, billing } = services
  if (!catalogue.paused()) return
  const plans = await orPauseOrdering(services, () => billing.plans(), null)
  if (plans !== null) catalogue.resume()
}
