import { isRefusedByBilling } from "~/billing/billing"
import type { LoggedServices, Services } from "~/context/services.server"
import type { Country } from "~/domain/customers/country"
import { type AuthenticatedCustomer, scopeFor } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { LineCancelled } from "~/domain/services/reseller-credits"
import type { Service } from "~/domain/services/service"
import { holdReason } from "~/flows/checkout/check-fraud.server"
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
  country: Country
  /** Browser id. */
  browser: string | null
}

/**
 * What became of an extension; without a change: not enough credits, or a line has ended (`refused`), or the reseller's orders are on
 * hold, and one of credits is not placed (`held`).
 */
export type LinesExtended =
  | { readonly kind: "extended"; readonly orderId: string }
  | { readonly kind: "refused" }
  | { readonly kind: "held" }

/** Extends lines by a cycle, for a credit each. */
export async function extendLines(
  services: LoggedServices,
  { customer, service, lineIds, key, locale, ...from }: ExtensionRequest,
): Promise<LinesExtended> {
  const [gateway] = services.enabledGateways
  if (!gateway) return { kind: "refused" }
  const reason = await holdReason(services, { ...from, customer }, customer.id)
  if (reason !== null) return { kind: "held" }
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
      address: from.address,
    })
    const { id: orderId } = await services.billing.extendLines(extension)
    services.wakeJobs()
    return { kind: "extended", orderId }
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    return { kind: "refused" }
  }
}

/** Cancels an unused line for its credit. Null: it may not be cancelled any more. */
export async function cancelLine(
  { billing, now, wakeJobs }: Pick<Services, "billing" | "now" | "wakeJobs">,
  { customer, lineId }: { customer: AuthenticatedCustomer; lineId: string },
): Promise<LineCancelled | null> {
  try {
    const cancelled = await billing.cancelLine({ lineId, customerId: customer.id, at: now() })
    wakeJobs()
    return cancelled
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    return null
  }
}
