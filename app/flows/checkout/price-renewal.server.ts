import type { Catalogue } from "~/billing/catalogue/catalogue"
import type { Customers } from "~/billing/customers/customers"
import type { Renewals } from "~/billing/services/renewals"
import type { LoggedServices, Services } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import type { Product } from "~/domain/catalogue/catalogue"
import type { BuyerPlace } from "~/domain/customers/country"
import { type Money, sameAmount } from "~/domain/money/money"
import { netCurrencies } from "~/domain/orders/prices-with-tax"
import { asRenewed, type NextPlan } from "~/domain/services/plan-change"
import {
  type AnnouncedPrice,
  accessAfter,
  catalogueOf,
  graceEndOf,
  lastingPrice,
  lowerPrice,
  priceOfTerms,
  type RenewableService,
  type RenewalAccess,
  type RenewalChoice,
  type RenewalStart,
  type RenewalTerms,
  renewable,
  renewalChoices,
  startOfRenewal,
  startsOfTerms,
} from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"
import { withoutTax } from "~/domain/tax/net-prices"
import type { TaxRules } from "~/domain/tax/tax"
import { buyerPlaceOfCustomer } from "./buyer-place-of-customer.server"
import { pricesOfBusiness } from "./priced-for.server"
import { rateOff } from "./tax-of-quote.server"

/** A renewal that may be bought, with its price. */
export type PricedRenewal = RenewalChoice & { readonly total: Money }

/** What renewing one service costs now, and what it leads to. */
export type ServiceRenewal = {
  readonly service: Service & RenewableService
  readonly access: RenewalAccess
  readonly start: RenewalStart
  readonly graceEnd: Instant
  /** Until when it works if nobody renews it, unless a payment holds that or its notice comes late. */
  readonly worksUntil: Instant
  /** The shortest first; empty: the service is paid as far ahead as the shop allows. */
  readonly choices: readonly PricedRenewal[]
  /** Price of one cycle now, less its discount; like `choices` without tax for a business that owes it itself. */
  readonly unit: Money
  /** The plan that `service` gets with its next term; null: it keeps its own. */
  readonly next: NextPlan | null
  /** The catalogue's price of one cycle, if it is lower. */
  readonly lower: Money | null
  /** A price that applies from a day on that is to come, or that comes after the begin of the next term. */
  readonly announced: AnnouncedPrice | null
}

type Pricing = Pick<Services, "vatNumbers"> & {
  readonly billing: Pick<Renewals, "renewalTerms"> & Pick<Customers, "businessOf">
  readonly shop: Pick<Services["shop"], "terms" | "timeZone" | "tax">
  readonly now: () => Instant
}

type Renewing = {
  readonly candidates: readonly Service[]
  /** The buyer of an order that is priced again; absent: the customer of each service. */
  readonly buyer?: BuyerPlace | undefined
}

/**
 * The renewal of each service that can be renewed, at the prices of `priceList`: the cached catalogue for display, billing
 * for orders. Empty for services of an external billing system, which has renewals of its own.
 */
export async function priceRenewals(
  services: Pricing,
  priceList: Pick<Catalogue, "plans">,
  { candidates, buyer }: Renewing,
): Promise<readonly ServiceRenewal[]> {
  const found = candidates.map((it) => renewable(it)).filter((it) => it !== null)
  if (services.shop.terms === null || found.length === 0) return []
  const listed = await priceList.plans()
  const priced = await Promise.all(
    found.map(async (service) => {
      const place = buyer ?? (await buyerPlaceOfCustomer(services, service.customerId))
      const own = pricesOfBusiness(services, priceList, place)
      const products = own === priceList ? listed : await own.plans()
      return priceRenewal(services, service, { products, buyer: place })
    }),
  )
  return priced.filter((it) => it !== null)
}

async function priceRenewal(
  services: Pricing,
  present: Service & RenewableService,
  { products, buyer }: { readonly products: readonly Product[]; readonly buyer: BuyerPlace | undefined },
): Promise<ServiceRenewal | null> {
  const { billing, shop, now } = services
  const terms = await billing.renewalTerms(present.id)
  if (shop.terms === null || terms === null) return null
  const { next } = terms
  const service = asRenewed(present, next)
  const product = products.find(({ id }) => id === service.productId)
  const access = accessAfter(service)
  if (access === null) return null
  const at = now()
  const { graceDays, renewAheadMonths: aheadMonths, timeZone: zone } = shop.terms
  const catalogue = catalogueOf(service, product)
  const graceEnd = graceEndOf(service, product?.graceDays ?? graceDays)
  const time = { at, graceEnd, zone }
  const basisPoints = rateOff(services, service.productId, buyer)
  const priceOf = (cycles: number) => {
    const price = priceOfTerms(terms, catalogue, startsOfTerms(service, cycles, time))
    return price && withoutTax(price, basisPoints)
  }
  const unit = priceOf(1)
  if (unit === null) return null
  return {
    service,
    access,
    graceEnd,
    worksUntil: Math.max(graceEnd, terms.notBefore ?? 0),
    start: startOfRenewal(service, time),
    choices: renewalChoices(service, { ...time, aheadMonths }).flatMap((choice) => {
      const total = priceOf(choice.cycles)
      return total === null ? [] : [{ ...choice, total }]
    }),
    unit,
    lower: mayBeLower(shop.tax, service, next) ? lowerPrice(terms, catalogue, at) : null,
    next,
    announced: announcedAhead(terms, Math.min(at, ...startsOfTerms(service, 1, time))),
  }
}

/**
 * Whether the catalogue's price is compared with a service's. A plan that follows has the price at which it was chosen. Where the
 * catalogue is without tax, its price is with that of the reader's country, and a service's with that of its purchase: a price that is
 * lower by the tax alone is none.
 */
function mayBeLower(
  rules: TaxRules | null,
  { currency }: Pick<Service, "currency">,
  next: NextPlan | null,
): boolean {
  return next === null && !(rules && netCurrencies(rules).includes(currency))
}

/** The price that the customer will pay from the day of another one on; null if terms that begin at `at` have it already. */
function announcedAhead(terms: RenewalTerms, at: Instant): AnnouncedPrice | null {
  const { announced } = terms
  if (announced === null || announced.from <= at) return null
  return { ...announced, price: lastingPrice(announced.price, terms) }
}

/** Switches a service to the catalogue's price, if that is `to` and lower than its own. False: nothing has changed. */
export async function takeLowerPrice(
  services: LoggedServices,
  service: Service,
  to: Money,
): Promise<boolean> {
  const [renewal] = await priceRenewals(services, services.billing, { candidates: [service] })
  if (!renewal?.lower || !sameAmount(renewal.lower, to)) return false
  return services.billing.lowerRenewalPrice(service.id, to, services.now())
}
