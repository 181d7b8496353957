import { dayIn, type Instant } from "~/domain/calendar"
import type { BuyerPlace } from "~/domain/customers/country"
import type { Money } from "~/domain/money/money"
import { productRates } from "~/domain/orders/order-tax"
import { netCurrencies, withTaxAdded } from "~/domain/orders/prices-with-tax"
import { countryOfTaxNumber } from "~/domain/tax/tax-number"
import { businessOf } from "../customers/businesses.server"
import type { ServiceRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { placeOfCustomer } from "./tax-of-order.server"

/**
 * What the customer of a service pays for a price of the catalogue at a time: the price of a service is with tax, as it was bought. The
 * price itself where the catalogue contains the tax.
 */
export async function withTaxFor(
  ctx: DbContext,
  { client_id, product_id }: Pick<ServiceRow, "client_id" | "product_id">,
  { price, at }: { readonly price: Money; readonly at: Instant },
): Promise<Money> {
  const rules = ctx.tax?.rules
  if (!ctx.tax || !rules || !netCurrencies(rules).includes(price.currency)) return price
  const sale = { buyer: await placeOfTax(ctx, client_id), day: dayIn(ctx.tax.timeZone, at) }
  return withTaxAdded(price, productRates(rules, [product_id], sale)[product_id] ?? 0)
}

/** A business is where its number is from: if it owes the tax itself, that country's is taken off when it pays. */
async function placeOfTax(ctx: DbContext, customerId: string): Promise<BuyerPlace> {
  const place = await placeOfCustomer(ctx, customerId)
  const business = await businessOf(ctx, customerId)
  return business ? { ...place, named: countryOfTaxNumber(business.taxNumber) } : place
}
