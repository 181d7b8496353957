import type { Instant } from "../calendar"
import type { ConfigOption, Priced, PriceTable, Product, ScheduledPrice } from "./catalogue"

/** The prices in force at an instant: of each currency and cycle the newest whose own instant is not after it. */
export function pricesAt({ pricing, scheduledPrices = [] }: Priced, at: Instant): PriceTable {
  return scheduledPrices
    .filter(({ from }) => from <= at)
    .toSorted((one, other) => one.from - other.from)
    .reduce(withPrice, pricing)
}

function withPrice(pricing: PriceTable, scheduled: ScheduledPrice): PriceTable {
  const { currency, cycle, price } = scheduled
  return isSold(pricing, scheduled)
    ? { ...pricing, [currency]: { ...pricing[currency], [cycle]: price } }
    : pricing
}

function isSold(pricing: PriceTable, { currency, cycle }: ScheduledPrice): boolean {
  return pricing[currency]?.[cycle] !== undefined
}

/**
 * The products as they are at an instant: with the prices in force, and with those scheduled prices that are still ahead. A product that
 * nothing has come into force for is the same object.
 */
export function productsAt(products: readonly Product[], at: Instant): readonly Product[] {
  const list = products.map((it) => productAt(it, at))
  return list.some((it, index) => it !== products[index]) ? list : products
}

function productAt(product: Product, at: Instant): Product {
  const priced = pricedAt(product, at)
  const options = product.options.map((it) => optionAt(it, at))
  const isSame = options.every((it, index) => it === product.options[index])
  return isSame ? priced : { ...priced, options }
}

function optionAt(option: ConfigOption, at: Instant): ConfigOption {
  const choices = option.choices.map((it) => pricedAt(it, at))
  return choices.every((it, index) => it === option.choices[index]) ? option : { ...option, choices }
}

function pricedAt<T extends Priced>(priced: T, at: Instant): T {
  const { scheduledPrices } = priced
  // Most prices: each visit of the checkout asks.
  if (!scheduledPrices) return priced
  const pricing = pricesAt(priced, at)
  const ahead = scheduledPrices.filter((it) => it.from > at && isSold(pricing, it))
  if (ahead.length === scheduledPrices.length) return priced
  return { ...priced, pricing, scheduledPrices: ahead.length > 0 ? ahead : undefined }
}

/** The products without scheduled prices that have come into force by an instant: what they cost before stays. */
export function withoutPassedPrices(products: readonly Product[], at: Instant): readonly Product[] {
  const ahead = <T extends Priced>(it: T): T => ({
    ...it,
    scheduledPrices: it.scheduledPrices?.filter(({ from }) => from > at),
  })
  return products.map((product) => ({
    ...ahead(product),
    options: product.options.map((option) => ({ ...option, choices: option.choices.map(ahead) })),
  }))
}

/** All scheduled prices of products and of the options that they have; those of an option that several have are in it more than once. */
export function scheduledIn(products: readonly MaybePriced[]): readonly ScheduledPrice[] {
  return products.flatMap(({ scheduledPrices = [], options = [] }) => [
    ...scheduledPrices,
    ...options.flatMap(({ choices }) => choices.flatMap((it) => it.scheduledPrices ?? [])),
  ])
}

/** What is read of a product to find its scheduled prices. */
export type MaybePriced = Partial<Pick<Product, "scheduledPrices" | "options">>

/** Instants, in their order, at which prices of products have come into force by another one, with who has scheduled them. */
export function passedPrices(
  products: readonly Product[],
  at: Instant,
): readonly (readonly [Instant, readonly ScheduledPrice[]])[] {
  const sold = products.flatMap((product) => [
    ...soldOf(product),
    ...product.options.flatMap(({ choices }) => choices.flatMap(soldOf)),
  ])
  const passed = sold.filter(({ from }) => from <= at).toSorted((one, other) => one.from - other.from)
  return [...Map.groupBy(passed, ({ from }) => from)]
}

function soldOf({ pricing, scheduledPrices = [] }: Priced): readonly ScheduledPrice[] {
  return scheduledPrices.filter((it) => isSold(pricing, it))
}

/** The next instant at which a price of products comes into force; null: none is scheduled. Of products as they are now. */
export function nextPriceAt(products: readonly MaybePriced[]): Instant | null {
  const instants = scheduledIn(products).map(({ from }) => from)
  return instants.length > 0 ? Math.min(...instants) : null
}
