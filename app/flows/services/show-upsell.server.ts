import type { LoggedServices } from "~/context/services.server"
import type { LocaleCode } from "~/domain/locales"
import type { Money } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { Service } from "~/domain/services/service"
import { UPSELL_QUANTITY } from "~/domain/services/upsell"
import { buyerPlaceOfCustomer } from "~/flows/checkout/buyer-place-of-customer.server"
import { priceUpsell } from "~/flows/checkout/price-upsell.server"
import {
  type AvailableGateway,
  availableGateways,
  presetGateway,
} from "~/flows/payments/available-gateways.server"

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
  request: { serviceId: string | null; quantity: number | null; gateway?: GatewayId; locale: LocaleCode },
): Promise<UpsellOffer | null> {
  const offered = (await Promise.all(candidates.map((it) => offerFor(services, it)))).filter(
    (it) => it !== null,
  )
  const gateways = await availableGateways(services, request.locale)
  const chosen = offered.find(({ id }) => id === request.serviceId) ?? offered[0]
  const asked = gateways.find(({ id }) => id === request.gateway)
  const gateway = asked?.id ?? presetGateway(services, gateways)
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
  const { id, name, username, connections, status, customerId } = service
  if (status !== "Active") return null
  const buyer = await buyerPlaceOfCustomer(services, customerId)
  const price = await priceUpsell(services, services.catalogue, { service, buyer })
  return price && { id, name, username, connections, unit: price.unit }
}
