import { BillingError } from "~/billing/billing"
import type { ShopConfig } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import type { Product } from "~/domain/catalogue/catalogue"
import type { PricingContext } from "~/domain/catalogue/pricing"
import { type MaybePriced, nextPriceAt } from "~/domain/catalogue/scheduled-prices"
import { type Country, currencyIn } from "~/domain/customers/country"
import type { Currency } from "~/domain/money/money"

/** What a visitor's currency can come from. */
type CurrencySources = {
  readonly country: Country
  /** Currency of the session's selection, which does not change during a purchase. */
  readonly chosen: Currency | null
  /** Currency of the signed-in customer's account. */
  readonly customers: Currency | null
  /** Customers pay in that one only (`Services.hasSingleCurrency`). */
  readonly hasSingleCurrency?: boolean
}

/** The shop's own currency, and the catalogue that is shown. */
export type PricedShop = {
  readonly shop: Pick<ShopConfig, "currency">
  readonly catalogue: { plans(): Promise<readonly Pick<Product, "pricing">[]> }
}

/**
 * Resolves the currency: the session's, the account's or the country's, in this order; the account's first where a customer pays in no
 * other. The shop's own if nothing is sold in that.
 */
export async function resolvePricingContext(
  services: PricedShop,
  visitor: CurrencySources,
): Promise<PricingContext> {
  const { country, chosen, customers, hasSingleCurrency = false } = visitor
  const own = services.shop.currency
  const only = hasSingleCurrency ? customers : null
  const wanted = only ?? chosen ?? customers ?? currencyIn(country, own)
  const sold = wanted === own || (await isSoldIn(services, wanted))
  return { country, currency: sold ? wanted : own, ...(only !== null && sold && { isOnlyCurrency: true }) }
}

/** True if the catalogue cannot be read: the page that shows it reports the error. */
async function isSoldIn({ catalogue }: PricedShop, currency: Currency): Promise<boolean> {
  try {
    return (await catalogue.plans()).some(({ pricing }) => pricing[currency] !== undefined)
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return true
  }
}

type Listing = { readonly catalogue: { plans(): Promise<readonly MaybePriced[]> } }

/** When the next scheduled price of a plan comes into force; null without one, and if the catalogue cannot be read, as above. */
export async function nextScheduledPrice({ catalogue }: Listing): Promise<Instant | null> {
  try {
    return nextPriceAt(await catalogue.plans())
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return null
  }
}
