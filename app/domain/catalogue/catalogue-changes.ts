import { localText } from "../local-time"
import { type Currency, currencies, money, toDecimal } from "../money/money"
import { cycles } from "./billing-cycle"
import type { Choice, ConfigOption, Priced, PriceTable, Product, ScheduledPrice } from "./catalogue"

/** What is different between two states of the products, in words for operators; empty if nothing is. */
export function catalogueChanges(before: readonly Product[], after: readonly Product[]): readonly string[] {
  return [
    ...gone(before, after).map((it) => `${productName(it)} removed`),
    ...gone(after, before).map((it) => `${productName(it)} added: ${pricesText(it.pricing)}`),
    ...both(before, after).flatMap(([old, now]) => productChanges(old, now)),
    ...optionChanges(optionsOf(before), optionsOf(after)),
    ...orderChange(before, after),
  ]
}

function productChanges(before: Product, after: Product): readonly string[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const fields = Object.keys(is).map((name) => change(name, was[name], is[name]))
  const all = [
    ...priceChanges(before.pricing, after.pricing),
    ...scheduledChanges(before, after),
    ...fields,
  ].filter((it) => it !== null)
  return [...renamed(before, after, productName), ...all.map((it) => `${productName(after)}: ${it}`)]
}

/** What a product is besides its name and prices. */
function fieldsOf(product: Product): Readonly<Record<string, string>> {
  const { kind, payType, renewalPrice = "kept", graceDays = "the shop's", trialHours = "none" } = product
  return {
    "sold to": kind === "plan" ? "viewers" : "resellers",
    payment: payType,
    "renewal price": renewalPrice,
    "grace days": String(graceDays),
    "trial hours": String(trialHours),
    credits: String(product.credits ?? "none"),
    "offered to new buyers": product.isHidden ? "no" : "yes",
    options: names(product.options),
    "custom fields": names(product.customFields),
  }
}

/** Options that both states have: one that a product has got or lost is told with the product. */
function optionChanges(before: readonly ConfigOption[], after: readonly ConfigOption[]): readonly string[] {
  return both(before, after).flatMap(([old, now]) => [
    ...renamed(old, now, optionName),
    ...gone(old.choices, now.choices).map((it) => `${optionName(now)}: choice ${named(it)} removed`),
    ...gone(now.choices, old.choices).map(
      (it) => `${optionName(now)}: choice ${named(it)} added: ${pricesText(it.pricing)}`,
    ),
    ...both(old.choices, now.choices).flatMap(([was, is]) => choiceChanges(was, is, optionName(now))),
  ])
}

function choiceChanges(before: Choice, after: Choice, option: string): readonly string[] {
  const name = (choice: Choice) => `${option}: choice ${named(choice)}`
  const prices = [...priceChanges(before.pricing, after.pricing), ...scheduledChanges(before, after)].filter(
    (it) => it !== null,
  )
  return [...renamed(before, after, name), ...prices.map((it) => `${name(after)}: ${it}`)]
}

/** The order of the products that both have. */
function orderChange(before: readonly Product[], after: readonly Product[]): readonly string[] {
  const pairs = both(before, after)
  const was = before.filter((it) => pairs.some(([old]) => old === it)).map(({ id }) => id)
  const is = pairs.map(([, now]) => now.id)
  return was.join() === is.join() ? [] : [`Order of the products: ${was.join(", ")} → ${is.join(", ")}`]
}

function priceChanges(before: PriceTable, after: PriceTable): readonly (string | null)[] {
  return currencies.flatMap((currency) =>
    cycles.map((cycle) => {
      const [was, is] = [before, after].map((it) => priceText(it[currency]?.[cycle], currency))
      return change(`price ${currency} ${cycle}`, was, is)
    }),
  )
}

/** Prices that were scheduled, and those that were taken back before they came into force. */
function scheduledChanges(before: Priced, after: Priced): readonly string[] {
  const [was, is] = [before, after].map(({ scheduledPrices = [] }) => scheduledPrices.map(scheduledText))
  const now = currencies.flatMap((currency) =>
    cycles.map((cycle) => [currency, cycle, after.pricing[currency]?.[cycle]].join(" ")),
  )
  const inForce = (before.scheduledPrices ?? [])
    .filter(({ currency, cycle, price }) => now.includes([currency, cycle, price].join(" ")))
    .map(scheduledText)
  return [
    ...lacking(is, was).map((it) => `${it} scheduled`),
    ...lacking(was, [...(is ?? []), ...inForce]).map((it) => `${it} not scheduled any more`),
  ]
}

function lacking(list: readonly string[] = [], other: readonly string[] = []): readonly string[] {
  return list.filter((it) => !other.includes(it))
}

/** A scheduled price in words. */
export function scheduledText({ currency, cycle, price, from }: ScheduledPrice): string {
  return `price ${currency} ${cycle} ${priceText(price, currency)} from ${localText(from, "UTC")} UTC`
}

function priceText(minor: number | undefined, currency: Currency): string {
  return minor === undefined ? "not sold" : toDecimal(money(minor, currency))
}

/** All prices of a table in words. */
export function pricesText(pricing: PriceTable): string {
  const prices = currencies.flatMap((currency) =>
    cycles.flatMap((cycle) => {
      const minor = pricing[currency]?.[cycle]
      return minor === undefined ? [] : [`${currency} ${cycle} ${priceText(minor, currency)}`]
    }),
  )
  return prices.join(", ") || "no price"
}

function change(what: string, was: string | undefined, is: string | undefined): string | null {
  return was === is ? null : `${what} ${was} → ${is}`
}

type Named = { readonly id: string; readonly name: string }

function renamed<T extends Named>(before: T, after: T, nameOf: (it: T) => string): readonly string[] {
  return before.name === after.name ? [] : [`${nameOf(before)} renamed: ${after.name}`]
}

const named = ({ id, name }: Named) => `${id} (${name})`
const productName = (it: Named) => `Product ${named(it)}`
const optionName = (it: Named) => `Option ${named(it)}`
const names = (list: readonly Named[]) => list.map(({ id }) => id).join(", ") || "none"

function optionsOf(products: readonly Product[]): readonly ConfigOption[] {
  return [...new Map(products.flatMap(({ options }) => options).map((it) => [it.id, it])).values()]
}

/** Those of a list that another does not have. */
function gone<T extends Named>(list: readonly T[], other: readonly T[]): readonly T[] {
  return list.filter(({ id }) => other.every((it) => it.id !== id))
}

/** What two lists have both, as each has it, in the order of the second. */
function both<T extends Named>(before: readonly T[], after: readonly T[]): readonly (readonly [T, T])[] {
  return after.flatMap((now) => before.filter(({ id }) => id === now.id).map((old) => [old, now] as const))
}
