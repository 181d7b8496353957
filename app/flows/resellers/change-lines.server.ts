import { BillingError } from "~/billing/billing"
import type { LoggedServices, Services } from "~/context/services.server"
import { type AuthenticatedCustomer, scopeFor } from "~/domain/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Service } from "~/domain/service"
import { newLineExtension } from "~/flows/checkout/new-order.server"

type ExtensionRequest = {
  customer: AuthenticatedCustomer
  /** The reseller service; ownership has been checked. */
  service: Service
  /** Lines in the reach of the session. */
  lineIds: readonly string[]
  /** Idempotency key of the form. */
  key: string
  locale: LocaleCode
  address: string | null
}

/** Extends lines by a cycle, for a credit each. False, without a change: not enough credits, or a line has ended. */
export async function extendLines(
  services: LoggedServices,
  { customer, service, lineIds, key, locale, address }: ExtensionRequest,
): Promise<boolean> {
  const [gateway] = services.enabledGateways
  if (!gateway) return false
  try {
    const extension = newLineExtension(services, {
      key,
      customerId: customer.id,
      resellerServiceId: service.id,
      accessScope: scopeFor(customer.id, customer),
      resellerCreditScope: customer,
      lineIds,
      gateway,
      locale,
      address,
    })
    await services.billing.extendLines(extension)
    services.wakeJobs()
    return true
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    return false
  }
}

/** Cancels an unused line for its credit. False: it may not be cancelled any more. */
export async function cancelLine(
  { billing, now, wakeJobs }: Pick<Services, "billing" | "now" | "wakeJobs">,
  { customer, lineId }: { customer: AuthenticatedCustomer; lineId: string },
): Promise<boolean> {
  try {
    const isCancelled = await billing.cancelLine({ lineId, customerId: customer.id, at: now() })
    wakeJobs()
    return isCancelled
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    return false
  }
}
