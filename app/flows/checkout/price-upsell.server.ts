import type { Catalogue } from "~/billing/catalogue/catalogue"
import type { Quote } from "~/domain/catalogue/pricing"
import type { BuyerPlace } from "~/domain/customers/country"
import type { Money } from "~/domain/money/money"
import type { Service } from "~/domain/services/service"
import { extraFor, quoteUpsellWithoutTax } from "~/domain/services/upsell"
import { withoutTax } from "~/domain/tax/net-prices"
import { pricesOfBusiness } from "./priced-for.server"
import { rateOff, type Taxing } from "./tax-of-quote.server"

/** What extra connections of a service cost its buyer now. */
export type UpsellPrice = {
  /** Of one. */
  readonly unit: Money
  readonly quote: (quantity: number) => Quote
}

type Upsold = {
  readonly service: Service
  /** Where the buyer is, in a shop that taxes. */
  readonly buyer: BuyerPlace | undefined
}

/**
 * Prices extra connections of a service by `priceList`: the cached catalogue for display, billing for orders. A business that owes the
 * tax itself pays without it. Null: none are sold for the service (see `extraFor`). Throws `BillingError`.
 */
export async function priceUpsell(
  services: Taxing,
  priceList: Pick<Catalogue, "plans" | "resellerPlans">,
  { service, buyer }: Upsold,
): Promise<UpsellPrice | null> {
  const prices = pricesOfBusiness(services, priceList, buyer)
  const products = await Promise.all([prices.plans(), prices.resellerPlans()])
  const product = products.flat().find(({ id }) => id === service.productId)
  const extra = product ? extraFor(service, product, services.now()) : null
  if (!extra) return null
  const basisPoints = rateOff(services, service.productId, buyer)
  return {
    unit: withoutTax(extra.price, basisPoints),
    quote: (quantity) => quoteUpsellWithoutTax(extra, quantity, basisPoints),
  }
}
