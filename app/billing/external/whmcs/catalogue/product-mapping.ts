import { type Cycle, cycles } from "~/domain/catalogue/billing-cycle"
import type { Choice, ConfigOption, PriceTable, Product, ProductKind } from "~/domain/catalogue/catalogue"
import { isCurrency } from "~/domain/money/money"
import type { WhmcsConfigOption, WhmcsPriceColumns, WhmcsProduct } from "./product-schema"

type ProductContext = { readonly kind: ProductKind; readonly resellerCredits: ReadonlyMap<string, number> }

/**
 * Maps a WHMCS product to a checkout product. Prices exclude set-up fees; the `doctor` command reports products with
 * one.
 */
export function productOf(product: WhmcsProduct, { kind, resellerCredits }: ProductContext): Product {
  const { pid: id, paytype } = product
  const lines = kind === "reseller" ? resellerCredits.get(id) : undefined
  return {
    id,
    kind,
    name: product.name,
    payType: paytype === "recurring" ? "recurring" : "onetime",
    pricing: paytype === "free" ? freeOf(product) : tableOf(product.pricing, columnsOf(product)),
    options: product.configoptions.map((option) => optionOf(option, columnsOf(product))),
    customFields: product.customfields.map(({ id: fieldId, name }) => ({ id: fieldId, name: shown(name) })),
    ...(lines !== undefined && { credits: lines }),
  }
}

/** WHMCS stores a one-time price in the `monthly` column. */
function columnsOf({ paytype }: WhmcsProduct): readonly Cycle[] {
  return paytype === "recurring" ? cycles : ["monthly"]
}

function tableOf(pricing: WhmcsProduct["pricing"], offered: readonly Cycle[]): PriceTable {
  const byCurrency = Object.entries(pricing).flatMap(([currency, columns]) =>
    isCurrency(currency) ? [[currency, pricesIn(columns, offered)] as const] : [],
  )
  return Object.fromEntries(byCurrency.filter(([, prices]) => Object.keys(prices).length > 0))
}

/** `-1.00`: not offered in that cycle; `0.00`: free. */
function pricesIn(columns: WhmcsPriceColumns, offered: readonly Cycle[]): { [K in Cycle]?: number } {
  const prices = offered.map((cycle) => [cycle, columns[cycle] ?? -1] as const)
  return Object.fromEntries(prices.filter(([, minor]) => minor >= 0))
}

function freeOf({ pricing }: WhmcsProduct): PriceTable {
  const listed = Object.keys(pricing).filter(isCurrency)
  return Object.fromEntries(listed.map((currency) => [currency, { monthly: 0 }]))
}

function optionOf(option: WhmcsConfigOption, offered: readonly Cycle[]): ConfigOption {
  const choices = option.options.map(({ id, name, pricing }) => ({
    id,
    name: shown(name),
    pricing: tableOf(pricing, offered),
  }))
  return { id: option.id, name: shown(option.name), choices: withoutNone(option, choices) }
}

/** Removes the "none" choices of a list: the free ones, or the first one if no choice has a price. */
function withoutNone({ type }: WhmcsConfigOption, choices: readonly Choice[]): readonly Choice[] {
  const isList = type === "dropdown" || type === "radio"
  if (!isList || choices.length < 2) return choices
  const priced = choices.filter(costs)
  return priced.length > 0 ? priced : choices.slice(1)
}

function costs({ pricing }: Choice): boolean {
  return Object.values(pricing).some((prices) => Object.values(prices).some((minor) => minor > 0))
}

/** Strips the panel's value before the bar in `1|One more screen`; WHMCS displays only what follows it. */
export function shown(name: string): string {
  return name.slice(name.indexOf("|") + 1).trim()
}
