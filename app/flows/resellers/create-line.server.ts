import { BillingError } from "~/billing/billing"
import type { Services } from "~/context/services.server"
import { plansOffered } from "~/domain/catalogue"
import type { Country } from "~/domain/country"
import { newCredentials, newOrderNumber } from "~/domain/credentials"
import { type AuthenticatedCustomer, scopeFor } from "~/domain/customer"
import type { LocaleCode } from "~/domain/locales"
import { money } from "~/domain/money"
import type { Service } from "~/domain/service"
import { holdReason } from "~/flows/checkout/check-fraud.server"

export type LineMade =
  | { readonly kind: "made"; readonly serviceId: string }
  /** On hold: no credit is used until the operator releases it. */
  | { readonly kind: "held" }
  /** No credits left, or no plan to create a line of. */
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
export async function createLine(services: Services, request: NewLineRequest): Promise<LineMade> {
  const { billing, enabledGateways, now, randomInt } = services
  const { customer, service, key, notes, locale } = request
  const [plan] = plansOffered(await billing.plans(), service.currency)
  const [gateway] = enabledGateways
  if (!plan || !gateway) return { kind: "refused" }
  const nothing = money(0, service.currency)
  try {
    const order = await billing.createLine({
      key,
      notes,
      locale,
      gateway,
      at: now(),
      cycle: plan.cycle,
      customerId: customer.id,
      resellerServiceId: service.id,
      accessScope: scopeFor(customer.id, customer),
      resellerCreditScope: customer,
      quote: {
        lines: [{ kind: "plan", productId: plan.id, name: plan.name, amount: nothing }],
        total: nothing,
      },
      address: request.address ?? services.shop.fallbackAddress,
      holdReason: await holdReason(services, {
        address: request.address,
        country: request.country,
        browser: request.browser,
        customerId: customer.id,
        customer,
      }),
      credentials: newCredentials(randomInt),
      number: () => newOrderNumber(randomInt),
    })
    if (order.status === "fraud") return { kind: "held" }
    services.wakeJobs()
    return { kind: "made", serviceId: order.serviceId }
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    return { kind: "refused" }
  }
}
