import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import type { Plan } from "~/domain/catalogue/catalogue"
import type { AppliedPromotion } from "~/domain/catalogue/promotion"
import type { Country } from "~/domain/customers/country"
import type { Choices } from "~/domain/orders/choices"
import { productRates } from "~/domain/orders/order-tax"
import { expectsGrossPrices, netCurrencies } from "~/domain/orders/prices-with-tax"
import { discountWithoutTax, planWithoutTax } from "~/domain/tax/net-prices"
import { type TaxRules, taxRegions } from "~/domain/tax/tax"
import { rateOff } from "~/flows/checkout/tax-of-quote.server"
import { taxWords } from "~/middleware/pricing/tax-note.server"
import { businessOffer, countryFields, netPrices } from "./tax-part.server"

/**
 * An offer with the choice of a country and the tax in prices, and at prices without it for a business that owes it itself; as it
 * was in a shop that taxes nothing.
 */
export function withTax<
  P extends Plan,
  Offered extends {
    readonly plans: readonly P[]
    readonly choices: Pick<Choices, "plan">
    readonly promotion: AppliedPromotion | null
  },
>(context: RouteContext, offer: Offered): Offered & { readonly tax?: string } {
  const services = context.get(servicesContext)
  const { shop, now } = services
  const { country, buyer } = context.get(pricingContext)
  if (shop.tax === null || !buyer) return offer
  const locale = context.get(localeContext)
  const day = dayIn(shop.timeZone, now())
  const ids = offer.plans.map(({ id }) => id)
  const rates = productRates(shop.tax, ids, { buyer, day })
  const plans = offer.plans.map((listed) => {
    const plan = planWithoutTax(listed, rateOff(services, listed.id, buyer))
    const rate = rates[plan.id] ?? 0
    const tax = { words: `${taxWords(rate, { country, locale })}\u00a0`, rate, of: 10_000 + rate }
    return rate > 0 ? { ...plan, tax } : plan
  })
  const net = showsNetPrices(shop.tax, country) ? netPrices(offer.plans, { rates, locale }) : ""
  const regions = taxRegions(shop.tax, country, day)
  const choice = countryFields({ country, region: buyer.region ?? null, regions }, locale)
  const taken = rateOff(services, offer.choices.plan, buyer)
  const promotion = offer.promotion && {
    ...offer.promotion,
    discount: discountWithoutTax(offer.promotion.discount, taken),
  }
  return {
    ...offer,
    plans,
    promotion,
    tax: `${choice} ${businessOffer({ business: buyer.business, isUntaxed: taken > 0 }, locale)}${net}`,
  }
}

/** Consumers of some countries expect prices without tax, where the shop has them. */
function showsNetPrices(rules: TaxRules, country: Country): boolean {
  return netCurrencies(rules).length > 0 && !expectsGrossPrices(country)
}
