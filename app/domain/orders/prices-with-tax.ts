import type { ConfigOption, PriceTable, Product } from "../catalogue/catalogue"
import { type Country, UNKNOWN_COUNTRY } from "../customers/country"
import { type Currency, currencies, type Money, money, plus, share } from "../money/money"
import { type TaxRules, unionCountries } from "../tax/tax"
import { productRates, type Sale } from "./order-tax"

/** The currencies whose prices in the catalogue are without tax. */
export function netCurrencies({ prices = {} }: Pick<TaxRules, "prices">): readonly Currency[] {
  return currencies.filter((it) => prices[it] === "exclusive")
}

/** A price with its tax added, half a cent rounded up. `rate` in basis points. */
export function withTaxAdded(net: Money, rate: number): Money {
  return plus(net, share(net, rate))
}

/**
 * The products at the prices that a buyer pays: to those of the catalogue that are without tax it is added, to each price by
 * itself, rounded to the cent. Whatever is quoted from them is with tax, as where the catalogue contains it: so pages, orders,
 * payments and renewals have one kind of amount, and a total is the sum of the prices that were shown. The tax of a single price
 * is the same to the cent whether it is added to the net amount or taken out of the gross one. An order of several lines rounds
 * its tax once, so the net amount of a line can differ from the catalogue by a cent.
 */
export function pricesWithTax(rules: TaxRules, products: readonly Product[], sale: Sale): readonly Product[] {
  const net = netCurrencies(rules)
  if (net.length === 0) return products
  const ids = products.map(({ id }) => id)
  // From a business that owes the tax itself it is taken off again, as from a catalogue that contains it.
  const rates = productRates(rules, ids, { ...sale, buyer: { ...sale.buyer, business: undefined } })
  return products.map((product) => {
    const rate = rates[product.id] ?? 0
    const taxed = (pricing: PriceTable) => tableWithTax(pricing, net, rate)
    return rate === 0
      ? product
      : {
          ...product,
          pricing: taxed(product.pricing),
          options: product.options.map((it) => optionWithTax(it, taxed)),
        }
  })
}

function optionWithTax(option: ConfigOption, taxed: (pricing: PriceTable) => PriceTable): ConfigOption {
  const choices = option.choices.map((choice) => ({ ...choice, pricing: taxed(choice.pricing) }))
  return { ...option, choices }
}

function tableWithTax(pricing: PriceTable, net: readonly Currency[], rate: number): PriceTable {
  const taxed = net.flatMap((currency) => {
    const prices = Object.entries(pricing[currency] ?? {})
    const gross = prices.map(([cycle, minor]) => [cycle, withTaxAdded(money(minor, currency), rate).minor])
    return pricing[currency] ? [[currency, Object.fromEntries(gross)] as const] : []
  })
  return { ...pricing, ...Object.fromEntries(taxed) }
}

/**
 * Countries outside the Union where a price shown to a consumer has to be the one that is paid: the European Economic Area by
 * Directive 98/6/EC, the United Kingdom by its Price Marking Order, Switzerland and Liechtenstein by the ordinance on price
 * indication, Australia and New Zealand by their consumer laws.
 */
const grossElsewhere: readonly Country[] = ["AU", "CH", "GB", "IS", "LI", "NO", "NZ"]

/** Whether consumers of a country expect prices with tax alone; elsewhere the price without it is told too. */
export function expectsGrossPrices(country: Country): boolean {
  return country === UNKNOWN_COUNTRY || unionCountries.includes(country) || grossElsewhere.includes(country)
}
