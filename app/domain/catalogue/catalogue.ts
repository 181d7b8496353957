import type { Instant } from "../calendar"
import { type Currency, currencies, type Money, money, per } from "../money/money"
import { type Cycle, cycles, monthsOf } from "./billing-cycle"

/** Prices in minor units by currency and cycle. A missing cycle is not offered; 0 is free. */
export type PriceTable = { readonly [C in Currency]?: { readonly [K in Cycle]?: number } }

/**
 * A price that new orders have from an instant on, of one currency and cycle, and who has scheduled it. One of a currency and cycle that is
 * not sold is none.
 */
export type ScheduledPrice = {
  readonly from: Instant
  readonly currency: Currency
  readonly cycle: Cycle
  /** In minor units. */
  readonly price: number
  /** As the audit log names who acts; null if a catalogue file does not say. */
  readonly author: string | null
  readonly at: Instant | null
  readonly reason: string | null
}

/** Something with prices now, and prices from later instants on. */
export type Priced = {
  readonly pricing: PriceTable
  /** In no order; absent: none. See `pricesAt`. */
  readonly scheduledPrices?: readonly ScheduledPrice[] | undefined
}

export type Choice = Priced & { readonly id: string; readonly name: string }
export type ConfigOption = { readonly id: string; readonly name: string; readonly choices: readonly Choice[] }
export type CustomField = { readonly id: string; readonly name: string }

export type ProductKind = "plan" | "reseller"

export const renewalPrices = ["kept", "current", "none"] as const
export type RenewalPrice = (typeof renewalPrices)[number]

/** A product. Its first configuration option is the extra connection, the second the proxy protection (specification, Catalogue). */
export type Product = Priced & {
  readonly id: string
  readonly kind: ProductKind
  readonly name: string
  readonly payType: "recurring" | "onetime"
  readonly options: readonly ConfigOption[]
  readonly customFields: readonly CustomField[]
  /** Credits of a reseller plan, one per line; plans for viewers have none. */
  readonly credits?: number | undefined
  /**
   * What a renewal costs: the price that the service was bought at (`kept`, also without a value), or the catalogue's (`current`).
   * `none`: its services are not renewed.
   */
  readonly renewalPrice?: RenewalPrice | undefined
  /** Days from the end of the term to the suspension; without a value, the shop's. */
  readonly graceDays?: number | undefined
  /** Length of the free trial, which each person may have once; without a value there is none. */
  readonly trialHours?: number | undefined
  /** New buyers are not offered it. Its services stay, and are renewed. */
  readonly isHidden?: boolean | undefined
}

/** Customary ids of the extras' configuration options, by which links order them (specification, Entry links). */
export const optionIds = { extraConnection: "2", proxyProtection: "4" } as const

/** Maximum number of plans shown (specification, Catalogue). */
const OFFERED = 3

/** A plan of the checkout: one cycle, its price, and the prices of the two extras in that cycle. */
export type Plan = {
  readonly id: string
  readonly name: string
  readonly payType: Product["payType"]
  readonly cycle: Cycle
  readonly price: Money
  /** Null if the plan does not offer the extra. */
  readonly extraConnection: Extra | null
  readonly proxyProtection: Extra | null
  /** Of a reseller plan. */
  readonly credits?: number | undefined
}

/** A selected configuration option: option, choice, and price per cycle. */
export type Extra = {
  readonly optionId: string
  readonly choiceId: string
  readonly name: string
  readonly price: Money
}

/** The first three products that have a price in the currency and are not hidden. Empty: nothing is on sale. */
export function plansOffered(products: readonly Product[], currency: Currency): readonly Plan[] {
  return products
    .filter(({ isHidden = false }) => !isHidden)
    .map((product) => planOf(product, currency))
    .filter((plan) => plan !== null)
    .slice(0, OFFERED)
}

/** The currencies in which a kind of plan is sold. */
export function currenciesOffered(kind: ProductKind, products: readonly Product[]): readonly Currency[] {
  const offered = kind === "plan" ? plansOffered : resellerPlansOffered
  return currencies.filter((currency) => offered(products, currency).length > 0)
}

/** The currencies in which any product has a price: a hidden one is renewed. */
export function currenciesPriced(products: readonly Pick<Product, "pricing">[]): readonly Currency[] {
  return currencies.filter((it) => products.some(({ pricing }) => pricing[it] !== undefined))
}

/** Products with a price, not hidden, that no visitor is shown, because in each of their currencies three others come first. */
export function plansNeverShown(products: readonly Product[]): readonly Product[] {
  const shown = new Set(currencies.flatMap((it) => plansOffered(products, it).map(({ id }) => id)))
  return products.filter(
    (product) =>
      !product.isHidden && !shown.has(product.id) && currencies.some((it) => planOf(product, it) !== null),
  )
}

/** A reseller plan: monthly (specification, Catalogue), with its credits. */
export type ResellerPlan = Plan & { readonly credits: number }

/** The reseller products that have a monthly price in the currency and are not hidden. Empty: nothing is on sale. */
export function resellerPlansOffered(
  products: readonly Product[],
  currency: Currency,
): readonly ResellerPlan[] {
  return products.flatMap(({ id, name, payType, pricing, credits = 0, isHidden = false }) => {
    const monthly = pricing[currency]?.monthly
    if (monthly === undefined || isHidden) return []
    const plan = { id, name, payType, cycle: "monthly" as const, price: money(monthly, currency) }
    return [{ ...plan, credits, extraConnection: null, proxyProtection: null }]
  })
}

/** A product's plan in a currency, in its shortest cycle; null if it has no price in the currency. */
export function planOf(product: Product, currency: Currency): Plan | null {
  const prices = product.pricing[currency] ?? {}
  const cycle = cycles.find((it) => prices[it] !== undefined)
  if (!cycle) return null
  const [extraConnection, proxyProtection] = product.options
  return {
    id: product.id,
    name: product.name,
    payType: product.payType,
    cycle,
    price: money(prices[cycle] ?? 0, currency),
    extraConnection: extraOf(extraConnection, currency, cycle),
    proxyProtection: extraOf(proxyProtection, currency, cycle),
  }
}

/** An option's first choice with a price in a currency and cycle; null without one. */
export function extraOf(option: ConfigOption | undefined, currency: Currency, cycle: Cycle): Extra | null {
  if (!option) return null
  for (const choice of option.choices) {
    const price = choice.pricing[currency]?.[cycle]
    if (price !== undefined) {
      return { optionId: option.id, choiceId: choice.id, name: option.name, price: money(price, currency) }
    }
  }
  return null
}

/** A plan's price per month, to compare cycles. */
export function perMonth(plan: Plan): Money {
  return plan.payType === "onetime" ? plan.price : per(plan.price, monthsOf(plan.cycle))
}

/** The plan with the lowest price per month, the first of equals; null without plans. */
export function bestOffer(plans: readonly Plan[]): Plan | null {
  return plans.reduce<Plan | null>(
    (best, plan) => (best && perMonth(best).minor <= perMonth(plan).minor ? best : plan),
    null,
  )
}

/** The reseller plan with the lowest price per line, the first of equals; null if there is nothing to compare. */
export function bestPerLine(plans: readonly ResellerPlan[]): ResellerPlan | null {
  const [first, ...others] = plans.filter(({ credits }) => credits > 0)
  if (first === undefined || others.length === 0) return null
  // Compared without division: rounded prices of one line may be equal.
  return others.reduce(
    (best, plan) => (plan.price.minor * best.credits < best.price.minor * plan.credits ? plan : best),
    first,
  )
}

/** Whole percent that a plan saves per month against the most expensive one, rounded down. */
export function savingPercent(plan: Plan, plans: readonly Plan[]): number {
  const dearest = Math.max(...plans.map((it) => perMonth(it).minor))
  return dearest > 0 ? Math.floor(((dearest - perMonth(plan).minor) * 100) / dearest) : 0
}
