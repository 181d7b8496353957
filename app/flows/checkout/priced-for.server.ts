import type { Catalogue } from "~/billing/catalogue"
import type { Services } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import type { BuyerPlace } from "~/domain/country"
import { netCurrencies, pricesWithTax } from "~/domain/prices-with-tax"

type Prices = Pick<Catalogue, "plans" | "resellerPlans">

/** Services that quote. `catalogue`: the list that is shown, if there is one. */
type Priced = Pick<Services, "now"> & {
  readonly billing: Prices
  readonly catalogue?: Prices
  readonly shop: Pick<Services["shop"], "tax" | "timeZone">
}

/**
 * The services with products at the prices that a buyer pays. The same services in a shop whose catalogue contains the tax in all
 * currencies. `placeOf` is asked at each reading, since a form can name another country.
 */
export function pricedFor<S extends Priced>(services: S, placeOf: () => Promise<BuyerPlace | undefined>): S {
  const { shop, billing, catalogue } = services
  if (!shop.tax || netCurrencies(shop.tax).length === 0) return services
  return {
    ...services,
    billing: withPrices(services, billing, placeOf),
    ...(catalogue && { catalogue: withPrices(services, catalogue, placeOf) }),
  }
}

/** The list at the catalogue's own prices that one with prices for a buyer was made of. */
const ownPrices = new WeakMap<object, Prices>()

function withPrices<P extends Prices>(
  { shop, now }: Priced,
  list: P,
  placeOf: () => Promise<BuyerPlace | undefined>,
): P {
  const own = ownPrices.get(list) ?? list
  async function priced(name: "plans" | "resellerPlans") {
    const [products, buyer] = await Promise.all([own[name](), placeOf()])
    if (!shop.tax || !buyer) return products
    return pricesWithTax(shop.tax, products, { buyer, day: dayIn(shop.timeZone, now()) })
  }
  const made: P = { ...list, plans: () => priced("plans"), resellerPlans: () => priced("resellerPlans") }
  ownPrices.set(made, own)
  return made
}

type WithCustomers = Priced & { readonly billing: Pick<Services["billing"], "countryOf"> }

/** The services with products at the prices that a customer pays whom no page shows them to, such as one of the billing API. */
export function pricedForCustomer<S extends WithCustomers>(services: S, customerId: string): S {
  return pricedFor(services, async () => ({
    named: null,
    located: await services.billing.countryOf(customerId),
  }))
}
