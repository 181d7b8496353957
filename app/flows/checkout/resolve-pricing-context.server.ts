import { BillingError } from "~/billing/billing"
import type { PricingContext, Services } from "~/context/services.server"
import { type Country, currencyIn } from "~/domain/country"
import type { Currency } from "~/domain/money"

type Visitor = {
  country: Country
  /** What his choices so far are priced in: it does not change while he buys. */
  chosen: Currency | null
  /** What a customer who has signed in has paid in before. */
  customers: Currency | null
}

/** What a visitor pays in: by his account or his country, and the shop's own where nothing is sold in that. */
export async function resolvePricingContext(services: Services, visitor: Visitor): Promise<PricingContext> {
  const { country, chosen, customers } = visitor
  const own = services.shop.currency
  const wanted = chosen ?? customers ?? currencyIn(country, own)
  const sold = wanted === own || (await isSoldIn(services, wanted))
  return { country, currency: sold ? wanted : own }
}

/** A price list that cannot be read decides nothing: the page that shows it says what is the matter. */
async function isSoldIn({ catalogue }: Services, currency: Currency): Promise<boolean> {
  try {
    return (await catalogue.plans()).some(({ pricing }) => pricing[currency] !== undefined)
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return true
  }
}
