import { CustomerRejectedError, isRefusedByBilling } from "~/billing/billing"
import type { NewUpsell } from "~/billing/orders/new-order"
import type { LoggedServices } from "~/context/services.server"
import type { Quote } from "~/domain/catalogue/pricing"
import type { Service } from "~/domain/services/service"
import { creditCoversServiceOrder } from "~/flows/checkout/available-credit.server"
import { buyerPlaceOfCustomer } from "~/flows/checkout/buyer-place-of-customer.server"
import { holdReason } from "~/flows/checkout/check-fraud.server"
import { newServiceOrder } from "~/flows/checkout/new-order.server"
import { priceUpsell } from "~/flows/checkout/price-upsell.server"
import { refusedGateway } from "~/flows/payments/available-gateways.server"
import {
  fieldsOfRequest,
  orSentBefore,
  rejected,
  type ServiceOrderRequest,
  type ServicePlacement,
} from "./service-order.server"

export type UpsellRequest = ServiceOrderRequest & {
  /** The service; ownership has been checked. */
  service: Service
  quantity: number
  /** Unit price that the form showed, in minor units; null if the form has none. */
  shownUnit: number | null
  /**
   * Ordered through the API: it uses no account credit, and a business pays the catalogue's price too, since the call names the price
   * that was agreed to.
   */
  isByApi?: boolean
}

export type UpsellPlacement = ServicePlacement<"form" | "serviceid" | "gateway">

/** Orders extra connections for a service: unit price times quantity (specification, Prices). Idempotent by `key`. */
export async function buyUpsell(services: LoggedServices, request: UpsellRequest): Promise<UpsellPlacement> {
  const placement = await placeNew(services, request)
  return orSentBefore(services, placement, { ...request, kind: "upsell" })
}

async function placeNew(services: LoggedServices, request: UpsellRequest): Promise<UpsellPlacement> {
  const { shownUnit, service, isByApi = false } = request
  const buyer = isByApi
    ? request.buyer
    : await buyerPlaceOfCustomer(services, service.customerId, request.buyer)
  const price = await priceUpsell(services, services.billing, { service, buyer })
  if (!price) return rejected("serviceid", "upsell.gone")
  if (shownUnit !== null && price.unit.minor > shownUnit) return rejected("form", "review.price-changed")
  const quote = price.quote(request.quantity)
  const refused = await refusedGateway(services, request.gateway, async () => {
    const ordered = { customerId: service.customerId, total: quote.total }
    return !isByApi && creditCoversServiceOrder(services, request, ordered)
  })
  if (refused) return refused
  return orderUpsell(services, { ...request, buyer }, quote)
}

async function orderUpsell(
  services: LoggedServices,
  request: UpsellRequest,
  quote: Quote,
): Promise<UpsellPlacement> {
  const { service, quantity, buyer } = request
  const { customerId } = service
  const fields = fieldsOfRequest(request, customerId)
  try {
    const upsell = newServiceOrder<NewUpsell>(services, {
      ...fields,
      accountCreditScope: request.isByApi ? "none" : fields.accountCreditScope,
      holdReason: await holdReason(services, request, customerId),
      serviceId: service.id,
      quantity,
      quote,
      buyer,
    })
    return { kind: "placed", order: await services.billing.addInvoice(upsell) }
  } catch (error) {
    if (error instanceof CustomerRejectedError) {
      services.log.warn({ err: error }, "customer rejected by billing")
      return rejected("form", "upsell.customer-rejected")
    }
    // The service has been terminated in the meantime, or the key belongs to another customer's order.
    if (!isRefusedByBilling(error)) throw error
    services.log.warn({ err: error }, "extra connections refused by billing")
    return rejected("serviceid", "upsell.gone")
  }
}
