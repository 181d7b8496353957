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
import { customerLocation } from "~/flows/checkout/customer-location.server"

export type LineMade =
  | { readonly kind: "made"; readonly serviceId: string }
  /** Held as suspicious: it takes no credit until the operator lets it go on. */
  | { readonly kind: "held" }
  /** There are no credits left, or there is nothing a line could be of. */
  | { readonly kind: "refused" }

type NewLineRequest = {
  customer: AuthenticatedCustomer
  /** His reseller service, which has been found to be his. */
  service: Service
  /** One-time key of the form. */
  key: string
  notes: string
  locale: LocaleCode
  address: string | null
  country: Country
  /** The random name of this browser. */
  browser: string | null
}

/** Makes a line for a customer of the reseller's own: of the first plan on the price list, for one credit. */
export async function createLine(services: Services, wish: NewLineRequest): Promise<LineMade> {
  const { billing, enabledGateways, now, randomInt } = services
  const { customer, service, key, notes, locale } = wish
  const [plan] = plansOffered(await billing.plans(), service.currency)
  const [gateway] = enabledGateways
  if (!plan || !gateway) return { kind: "refused" }
  const nothing = money(0, service.currency)
  try {
    const order = await billing.createLine({
      ...{ key, notes, locale, gateway, at: now(), cycle: plan.cycle },
      ...{ customerId: customer.id, resellerServiceId: service.id },
      ...{ accessScope: scopeFor(customer.id, customer), resellerCreditScope: customer },
      quote: {
        lines: [{ kind: "plan", productId: plan.id, name: plan.name, amount: nothing }],
        total: nothing,
      },
      address: customerLocation(services, wish.address).address,
      holdReason: await holdReason(services, {
        address: wish.address,
        country: wish.country,
        browser: wish.browser,
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
