import { BillingError } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"
import type { Country } from "~/domain/country"
import { type AuthenticatedCustomer, scopeFor } from "~/domain/customer"
import type { GatewayId } from "~/domain/gateway-id"
import type { LocaleCode } from "~/domain/locales"
import { sameAmount } from "~/domain/money"
import type { Order } from "~/domain/order"
import { payableStatuses } from "~/domain/order-status"
import { type RenewalItem, renewalLine, renewalQuote } from "~/domain/renewal"
import type { Service } from "~/domain/service"
import { NOT_RENEWABLE } from "~/domain/service-renewal-field"
import { accountCreditScope } from "~/flows/checkout/available-credit.server"
import { holdReason } from "~/flows/checkout/check-fraud.server"
import { newRenewal } from "~/flows/checkout/new-order.server"
import { priceRenewals, type ServiceRenewal } from "~/flows/checkout/price-renewal.server"
import { isOffered } from "~/flows/payments/available-gateways.server"

/** A service and for how many cycles it is renewed. */
export type Renewed = {
  /** Ownership has been checked. */
  readonly service: Service
  readonly cycles: number
  /** Price that the form showed, in minor units; null if the form has none. */
  readonly shown: number | null
}

export type RenewalRequest = {
  /** Of one customer, each service once; at least one. */
  renewed: readonly Renewed[]
  /** The signed-in customer, if any. */
  customer: AuthenticatedCustomer | null
  /** Id of the session's current order. */
  orderId: string | null
  /** Idempotency key of the form. */
  key: string
  gateway: GatewayId
  locale: LocaleCode
  address: string | null
  country: Country
  /** Browser id; null without one. */
  browser: string | null
}

export type RenewalPlacement =
  | { readonly kind: "placed"; readonly order: Order }
  | { readonly kind: "rejected"; readonly field: "form" | "gateway"; readonly reason: string }

type Rejection = Extract<RenewalPlacement, { kind: "rejected" }>

const rejected = (field: Rejection["field"], reason: string): Rejection => ({
  kind: "rejected",
  field,
  reason,
})

/**
 * Orders further terms of services, in one payment. Idempotent by `key`; the session's unpaid order for the same is
 * continued, as after Back.
 */
export async function renewServices(
  services: LoggedServices,
  request: RenewalRequest,
): Promise<RenewalPlacement> {
  if (!(await isOffered(services, request.gateway))) return rejected("gateway", "checkout.gateway.required")
  const { billing } = services
  const { renewed } = request
  const priced = await priceRenewals(
    services,
    billing,
    renewed.map(({ service }) => service),
  )
  const items = itemsOf(renewed, priced)
  if (items === null) return rejected("form", NOT_RENEWABLE)
  if (items.some(({ amount }, at) => amount.minor > (renewed[at]?.shown ?? amount.minor)))
    return rejected("form", "review.price-changed")
  return order(services, request, { items, priced })
}

/** The item of each service, in their order; null if one of them cannot be renewed like that. */
function itemsOf(
  renewed: readonly Renewed[],
  priced: readonly ServiceRenewal[],
): readonly RenewalItem[] | null {
  const items = renewed.flatMap(({ service: { id: serviceId }, cycles }) => {
    const choices = priced.find(({ service }) => service.id === serviceId)?.choices
    const choice = choices?.find((it) => it.cycles === cycles)
    return choice ? [{ serviceId, cycles, amount: choice.total }] : []
  })
  return items.length === renewed.length ? items : null
}

type Priced = { readonly items: readonly RenewalItem[]; readonly priced: readonly ServiceRenewal[] }

async function order(
  services: LoggedServices,
  request: RenewalRequest,
  { items, priced }: Priced,
): Promise<RenewalPlacement> {
  const customerId = priced[0]?.service.customerId
  if (customerId === undefined) return rejected("form", NOT_RENEWABLE)
  const lines = items.flatMap((item) => {
    const found = priced.find(({ service }) => service.id === item.serviceId)
    return found ? [renewalLine(found.service, item)] : []
  })
  const quote = renewalQuote(lines)
  const open = await openRenewal(services, request.orderId, items)
  if (open && sameAmount(open.total, quote.total)) return { kind: "placed", order: open }
  const { customer, key, gateway, locale, address, country, browser } = request
  try {
    const renewal = newRenewal(services, {
      key,
      items,
      quote,
      gateway,
      locale,
      customerId,
      accessScope: scopeFor(customerId, customer),
      accountCreditScope: accountCreditScope(request, customerId),
      holdReason: await holdReason(services, { address, country, browser, customerId, customer }),
      browser,
      address,
    })
    return { kind: "placed", order: await services.billing.placeRenewal(renewal) }
  } catch (error) {
    // A service has been terminated in the meantime, or the key belongs to another customer's order.
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    return rejected("form", NOT_RENEWABLE)
  }
}

/** The session's unpaid order for the same services and cycles, if that is its current one. */
async function openRenewal(
  { billing }: Pick<LoggedServices, "billing">,
  orderId: string | null,
  items: readonly RenewalItem[],
): Promise<Order | null> {
  const current = orderId ? await billing.order(orderId) : null
  if (current?.kind !== "renewal" || !payableStatuses.includes(current.status)) return null
  const ordered = await billing.renewalItems(current.id)
  const isSame =
    ordered.length === items.length &&
    items.every(({ serviceId, cycles }, at) => {
      const other = ordered[at]
      return other?.serviceId === serviceId && other.cycles === cycles
    })
  return isSame ? current : null
}
