import { type Cycle, cycles, monthsOf } from "./billing-cycle"
import { type Currency, type Money, money, per } from "./money"

/** Minor units per currency per cycle. A cycle that is not listed is not offered; 0 is free. */
export type PriceTable = { readonly [C in Currency]?: { readonly [K in Cycle]?: number } }

export type Choice = { readonly id: string; readonly name: string; readonly pricing: PriceTable }
export type ConfigOption = { readonly id: string; readonly name: string; readonly choices: readonly Choice[] }
export type CustomField = { readonly id: string; readonly name: string }

export type ProductKind = "plan" | "reseller"

/** Something on sale. The first option is the extra connection, the second the proxy protection (spec, section 3). */
export type Product = {
  readonly id: string
  readonly kind: ProductKind
  readonly name: string
  readonly payType: "recurring" | "onetime"
  readonly pricing: PriceTable
  readonly options: readonly ConfigOption[]
  readonly customFields: readonly CustomField[]
  /** Lines a reseller may create with this plan; plans for viewers have none. */
  readonly credits?: number | undefined
}

/** How many plans a visitor is shown (spec, section 9). */
const OFFERED = 3

/** A plan as the checkout offers it: one cycle, its price, and what the two extras cost in that cycle. */
export type Plan = {
  readonly id: string
  readonly name: string
  readonly payType: Product["payType"]
  readonly cycle: Cycle
  readonly price: Money
  /** Null: this plan does not offer the extra. */
  readonly extraConnection: Extra | null
  readonly proxyProtection: Extra | null
}

/** One configuration option of a plan, taken: which option, which choice of it, at what price per cycle. */
export type Extra = {
  readonly optionId: string
  readonly choiceId: string
  readonly name: string
  readonly price: Money
}

/** The first three products that have a price in the currency. Empty is the spec's notFound state. */
export function plansOffered(products: readonly Product[], currency: Currency): readonly Plan[] {
  return products
    .map((product) => planOf(product, currency))
    .filter((plan) => plan !== null)
    .slice(0, OFFERED)
}

/** A reseller's plan as it is offered: by the month (spec, section 9), with the lines it lets him make. */
export type ResellerPlan = Plan & { readonly credits: number }

/** The reseller products that have a monthly price in the currency. Empty is the spec's notFound state. */
export function resellerPlansOffered(
  products: readonly Product[],
  currency: Currency,
): readonly ResellerPlan[] {
  return products.flatMap(({ id, name, payType, pricing, credits = 0 }) => {
    const monthly = pricing[currency]?.monthly
    if (monthly === undefined) return []
    const plan = { id, name, payType, cycle: "monthly" as const, price: money(monthly, currency) }
    return [{ ...plan, credits, extraConnection: null, proxyProtection: null }]
  })
}

/** A product in one currency, in the shortest cycle it is sold in; null when it is not sold in the currency. */
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

/** What an option costs in a currency for a cycle: its first choice that is sold so; null when none is. */
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

/** What a plan comes to per month, for comparing plans of different length. */
export function perMonth(plan: Plan): Money {
  return plan.payType === "onetime" ? plan.price : per(plan.price, monthsOf(plan.cycle))
}

/** The plan that is cheapest per month; the first of equals. Null when nothing is offered. */
export function bestOffer(plans: readonly Plan[]): Plan | null {
  return plans.reduce<Plan | null>(
    (best, plan) => (best && perMonth(best).minor <= perMonth(plan).minor ? best : plan),
    null,
  )
}

/** Whole percent a plan saves per month against the dearest one, rounded down; 0 when it saves nothing. */
export function savingPercent(plan: Plan, plans: readonly Plan[]): number {
  const dearest = Math.max(...plans.map((it) => perMonth(it).minor))
  return dearest > 0 ? Math.floor(((dearest - perMonth(plan).minor) * 100) / dearest) : 0
}
