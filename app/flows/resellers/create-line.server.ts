import { isRefusedByBilling } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"
import { plansOffered } from "~/domain/catalogue/catalogue"
import type { Country } from "~/domain/customers/country"
import { type AuthenticatedCustomer, scopeFor } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import { CREDITS_PER_LINE } from "~/domain/services/reseller-credits"
import type { Service } from "~/domain/services/service"
import { holdReason } from "~/flows/checkout/check-fraud.server"
import { newLine } from "~/flows/checkout/new-order.server"

export type LineMade =
  | { readonly kind: "made"; readonly serviceId: string }
  /** On hold: no credit is used until the operator releases it. */
  | { readonly kind: "held" }
  /** No credits left. */
  | { readonly kind: "none" }
  /** No plan to create a line of, or the reseller service does not work any more. */
  | { readonly kind: "refused" }

type NewLineRequest = {
  customer: AuthenticatedCustomer
  /** The reseller service; ownership has been checked. */
  service: Service
  /** Idempotency key of the form. */
  key: string
  notes: string
  locale: LocaleCode
  address: string | null
  country: Country
  /** Browser id. */
  browser: string | null
}

/** Creates a line for a reseller's customer: of the catalogue's first plan, for one credit. Idempotent by `key`. */
export async function createLine(services: LoggedServices, request: NewLineRequest): Promise<LineMade> {
  const { billing, enabledGateways } = services
  const { customer, service, key, notes, locale } = request
  const [plan] = plansOffered(await billing.plans(), service.currency)
  const [gateway] = enabledGateways
  if (!plan || !gateway) return { kind: "refused" }
  try {
    const line = newLine(services, {
      key,
      customerId: customer.id,
      resellerServiceId: service.id,
      accessScope: scopeFor(customer.id, customer),
      resellerCreditScope: customer,
      holdReason: await holdReason(services, request, customer.id),
      plan,
      gateway,
      locale,
      address: request.address,
      notes,
    })
    const order = await billing.createLine(line)
    if (order.status === "fraud") return { kind: "held" }
    services.wakeJobs()
    return { kind: "made", serviceId: order.serviceId }
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    return refusal(services, customer)
  }
}

async function refusal({ billing }: LoggedServices, customer: AuthenticatedCustomer): Promise<LineMade> {
  const { balance } = await billing.resellerCredits(customer, 0)
  return { kind: balance < CREDITS_PER_LINE ? "none" : "refused" }
}
