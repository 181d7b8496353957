import type { LoggedServices } from "~/context/services.server"
import type { GatewayId } from "~/domain/gateway-id"
import type { LocaleCode } from "~/domain/locales"
import type { Money } from "~/domain/money"
import { withoutTax } from "~/domain/net-prices"
import type { Service } from "~/domain/service"
import { extraFor, UPSELL_QUANTITY } from "~/domain/upsell"
import { buyerPlaceOfCustomer } from "~/flows/checkout/buyer-place-of-customer.server"
import { pricesOfBusiness } from "~/flows/checkout/priced-for.server"
import { rateOff } from "~/flows/checkout/tax-of-quote.server"
import {
  type AvailableGateway,
  availableGateways,
  presetGateway,
} from "~/flows/payments/available-gateways.server"
import { productsOnSale } from "./all-products.server"

export type UpsellService = Pick<Service, "id" | "name" | "username" | "connections"> & {
  readonly unit: Money
}

export type UpsellOffer = {
  readonly services: readonly UpsellService[]
  readonly chosen: string
  readonly quantity: number
  readonly gateways: readonly AvailableGateway[]
  readonly gateway: GatewayId
  /** Idempotency key of the form. */
  readonly key: string
}

/** Unit prices of extra connections for provisioned services; null if there is nothing to offer. */
export async function showUpsell(
  services: LoggedServices,
  candidates: readonly Service[],
  request: { serviceId: string | null; quantity: number | null; locale: LocaleCode },
): Promise<UpsellOffer | null> {
  const offered = (await Promise.all(candidates.map((it) => offerFor(services, it)))).filter(
    (it) => it !== null,
  )
  const gateways = await availableGateways(services, request.locale)
  const chosen = offered.find(({ id }) => id === request.serviceId) ?? offered[0]
  const gateway = presetGateway(services, gateways)
  if (!chosen || !gateway) return null
  return {
    services: offered,
    chosen: chosen.id,
    gateways,
    gateway,
    key: services.newId(),
    quantity: request.quantity ?? UPSELL_QUANTITY.preset,
  }
}

async function offerFor(services: LoggedServices, service: Service): Promise<UpsellService | null> {
  const { id, name, username, connections, productId, status, customerId } = service
  const buyer = await buyerPlaceOfCustomer(services, customerId)
  const products = await productsOnSale(pricesOfBusiness(services, services.catalogue, buyer))
  const product = products.find((it) => it.id === productId)
  const extra = status === "Active" && product ? extraFor(service, product, services.now()) : null
  if (!extra) return null
  const basisPoints = rateOff(services, productId, buyer)
  return { id, name, username, connections, unit: withoutTax(extra.price, basisPoints) }
}
