import type { Services } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import type { BuyerPlace } from "~/domain/country"
import { type OrderTax, orderTax } from "~/domain/order-tax"
import type { Quote } from "~/domain/pricing"

type Taxing = Pick<Services, "now"> & { readonly shop: Pick<Services["shop"], "tax" | "timeZone"> }

/** The tax that an order of this quote would have now; null in a shop that taxes nothing. */
export function taxOfQuote(
  { shop, now }: Taxing,
  quote: Quote,
  buyer: BuyerPlace | undefined,
): OrderTax | null {
  return shop.tax && buyer ? orderTax(shop.tax, quote, { buyer, day: dayIn(shop.timeZone, now()) }) : null
}
