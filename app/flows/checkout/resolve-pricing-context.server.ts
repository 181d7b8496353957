import { BillingError } from "~/billing/billing"
import type { Services } from "~/context/services.server"
import { type Country, currencyIn } from "~/domain/country"
import type { Currency } from "~/domain/money"
import type { PricingContext } from "~/domain/pricing"

type Visitor = {
  country: Country
  /** Currency of the session's selection, which does not change during a purchase. */
  chosen: Currency | null
  /** Currency of the signed-in customer's account. */
  customers: Currency | null
}

/** Resolves the currency: the account's, the session's or the country's; the shop's own if nothing is sold in that. */
export async function resolvePricingContext(
  services: Pick<Services, "shop" | "catalogue">,
  visitor: Visitor,
): Promise<PricingContext> {
  const { country, chosen, customers } = visitor
  const own = services.shop.currency
  const wanted = chosen ?? customers ?? currencyIn(country, own)
  const sold = wanted === own || (await isSoldIn(services, wanted))
  return { country, currency: sold ? wanted : own }
}

/** True if the catalogue cannot be read: the page that shows it reports the error. */
async function isSoldIn({ catalogue }: Pick<Services, "catalogue">, currency: Currency): Promise<boolean> {
  try {
    return (await catalogue.plans()).some(({ pricing }) => pricing[currency] !== undefined)
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return true
  }
}
