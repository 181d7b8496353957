import { BillingError } from "~/billing/billing"
import { newOrderNumber } from "~/domain/credentials"
import type { GatewayId } from "~/domain/gateway-id"
import type { LocaleCode } from "~/domain/locales"
import { type Order, PAYMENT_DEADLINE } from "~/domain/order"
import type { Service } from "~/domain/service"
import { extraFor, quoteUpsell } from "~/domain/upsell"
import type { Services } from "~/services.server"
import { fraudVerdict, markIfFraud } from "./check-fraud.server"

export type UpsellWish = {
  /** The service, which has been found to be the visitor's. */
  service: Service
  /** One-time key of the form. */
  key: string
  quantity: number
  gateway: GatewayId
  locale: LocaleCode
  address: string | null
}

export type UpsellPlacement =
  | { readonly kind: "placed"; readonly order: Order }
  | { readonly kind: "rejected"; readonly field: "serviceid" | "gateway"; readonly reason: string }

/** Orders more connections for a service: unit price times quantity (spec, section 9). The same key is the same order. */
export async function buyUpsell(services: Services, wish: UpsellWish): Promise<UpsellPlacement> {
  const { billing, shop, draw, gateways } = services
  const { service, key, quantity, gateway, locale, address } = wish
  if (!gateways.has(gateway))
    return { kind: "rejected", field: "gateway", reason: "checkout.gateway.required" }

  const products = [...(await billing.plans()), ...(await billing.resellerPlans())]
  const product = products.find(({ id }) => id === service.productId)
  const extra = product && extraFor(service, product)
  if (!extra) return { kind: "rejected", field: "serviceid", reason: "upsell.gone" }

  const verdict = await fraudVerdict(services, address)
  const at = services.now()
  try {
    const order = await billing.addInvoice({
      ...{ key, quantity, gateway, locale, at },
      ...{ customerId: service.customerId, serviceId: service.id },
      quote: quoteUpsell(extra, quantity),
      address: address ?? shop.fallbackAddress,
      number: () => newOrderNumber(draw),
      deadline: at + PAYMENT_DEADLINE,
    })
    return { kind: "placed", order: await markIfFraud(services, order, verdict) }
  } catch (error) {
    // The service has ended meanwhile, or the key belongs to somebody else's order.
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    return { kind: "rejected", field: "serviceid", reason: "upsell.gone" }
  }
}
