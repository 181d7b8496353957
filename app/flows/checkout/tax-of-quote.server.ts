import type { Services } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import type { Quote } from "~/domain/catalogue/pricing"
import type { BuyerPlace } from "~/domain/customers/country"
import { type OrderTax, orderTax, rateTakenOff } from "~/domain/orders/order-tax"

/** Services that the tax of a price depends on. */
export type Taxing = Pick<Services, "now"> & { readonly shop: Pick<Services["shop"], "tax" | "timeZone"> }

/** The tax that an order of this quote would have now; null in a shop that taxes nothing. */
export function taxOfQuote(
  { shop, now }: Taxing,
  quote: Quote,
  buyer: BuyerPlace | undefined,
): OrderTax | null {
  return shop.tax && buyer ? orderTax(shop.tax, quote, { buyer, day: dayIn(shop.timeZone, now()) }) : null
}

/** The rate of the tax that is taken off a product's price for a buyer now, in basis points: see `rateTakenOff`. */
export function rateOff(
  { shop, now }: Taxing,
  productId: string | null,
  buyer: BuyerPlace | undefined,
): number {
  if (!shop.tax || !buyer?.business) return 0
  return rateTakenOff(shop.tax, productId, { buyer, day: dayIn(shop.timeZone, now()) })
}
