import type { Catalogue } from "~/billing/catalogue/catalogue"
import type { Services } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import type { BuyerPlace } from "~/domain/customers/country"
import { netCurrencies, pricesWithTax } from "~/domain/orders/prices-with-tax"
import type { Taxing } from "./tax-of-quote.server"

type Prices = Pick<Catalogue, "plans"> & Partial<Pick<Catalogue, "resellerPlans">>

/** Services that quote. `catalogue`: the list that is shown, if there is one. */
type Priced = Taxing & {
  readonly billing: Prices
  readonly catalogue?: Prices
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
  { shop, now }: Taxing,
  list: P,
  placeOf: () => Promise<BuyerPlace | undefined>,
): P {
  const own = ownPrices.get(list) ?? list
  async function priced(read: Catalogue["plans"]) {
    const [products, buyer] = await Promise.all([read(), placeOf()])
    if (!shop.tax || !buyer) return products
    return pricesWithTax(shop.tax, products, { buyer, day: dayIn(shop.timeZone, now()) })
  }
  const { resellerPlans } = own
  const made: P = {
    ...list,
    plans: () => priced(() => own.plans()),
    ...(resellerPlans && { resellerPlans: () => priced(resellerPlans) }),
  }
  ownPrices.set(made, own)
  return made
}

/**
 * A list of prices as the business that a service belongs to pays them, wherever it is read from: where the catalogue is without tax,
 * the tax that is taken off again has to be that which was added. The list itself for everybody else.
 */
export function pricesOfBusiness<P extends Prices>(
  services: Taxing,
  list: P,
  buyer: BuyerPlace | undefined,
): P {
  const { tax } = services.shop
  if (!buyer?.business || !tax || netCurrencies(tax).length === 0) return list
  return withPrices(services, list, async () => buyer)
}

type WithCustomers = Priced & { readonly billing: Pick<Services["billing"], "countryOf"> }

/** The services with products at the prices that a customer pays whom no page shows them to, such as one of the billing API. */
export function pricedForCustomer<S extends WithCustomers>(services: S, customerId: string): S {
  return pricedFor(services, async () => ({
    named: null,
    located: await services.billing.countryOf(customerId),
  }))
}
