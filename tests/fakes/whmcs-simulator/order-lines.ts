import { cycles } from "~/domain/catalogue/billing-cycle"
import type { Currency } from "~/domain/money/money"
import type { Item } from "./catalogue"
import { chosenIn, optionsPrice } from "./config-options"
import { type Installation, priceIn } from "./installation"
import { mapOf, minorOf, textsOf } from "./params"
import type { Fields } from "./php-form"
import type { PhpMap } from "./php-unserialize"
import { takenOff } from "./promotions"
import type { Chosen, PromotionRow, ServiceCycle } from "./state"

/** One priced product of an order. */
export type OrderLine = {
  readonly item: Item
  readonly cycle: ServiceCycle
  readonly domain: string
  readonly fields: Record<string, string>
  readonly options: Record<string, Chosen>
  readonly recurring: number
  readonly setup: number
  readonly off: number
}

/**
 * Parses AddOrder's parallel arrays into priced products; products that are not on sale are dropped without an error.
 */
export function orderLines(
  installation: Installation,
  params: Fields,
  terms: { currency: Currency; promotion: PromotionRow | null },
): readonly OrderLine[] {
  const named = (name: string) => textsOf(params, name)
  const sent = {
    pid: named("pid"),
    cycle: named("billingcycle"),
    domain: named("domain"),
    host: named("hostname"),
    fields: named("customfields"),
    options: named("configoptions"),
    override: named("priceoverride"),
  }
  return [...sent.pid].flatMap(([index, pid]) => {
    const item = installation.items.find(({ id }) => id === pid.trim())
    const cycle = item && cycleOf(item, terms.currency, sent.cycle.get(index) ?? "")
    if (!item || !cycle) return []
    const minOnly = installation.quirks.orderedQuantity === "least"
    const options = chosenIn(item, mapOf(sent.options.get(index)), minOnly)
    const fields = fieldsOf(item, mapOf(sent.fields.get(index)))
    const domain = sent.domain.get(index) ?? sent.host.get(index) ?? ""
    const line = { item, cycle, domain, fields, options }
    return [priced(installation, line, { ...terms, override: sent.override.get(index) ?? "" })]
  })
}

type Terms = { currency: Currency; promotion: PromotionRow | null; override: string }
type Chose = Omit<OrderLine, "recurring" | "setup" | "off">

function priced(
  installation: Installation,
  line: Chose,
  { currency, promotion, override }: Terms,
): OrderLine {
  const { item, cycle, options } = line
  const optional = optionsPrice(item, options, { currency, cycle })
  const fee = priceIn(item.setupFees, currency, cycle) ?? 0
  const isOverridden = override !== ""
  const isWhole = isOverridden && installation.quirks.priceOverride === "everything"
  const base = isOverridden ? minorOf(override) : (priceIn(item.pricing, currency, cycle) ?? 0)
  const recurring = base + (isWhole ? 0 : optional)
  const setup = isWhole ? 0 : fee
  const rate = installation.currencies.find(({ code }) => code === currency)?.rate ?? 0
  const off = promotion ? takenOff(promotion, { price: recurring, setup, pid: item.id, cycle }, rate) : 0
  return { ...line, recurring, setup, off }
}

/** Returns the requested cycle, or the shortest one in which the product is sold; null if there is none. */
function cycleOf(item: Item, currency: Currency, requested: string): ServiceCycle | null {
  const prices = item.pricing[currency] ?? {}
  if (item.payType === "onetime") return prices.monthly === undefined ? null : "onetime"
  const offered = cycles.filter((cycle) => prices[cycle] !== undefined)
  const wanted = requested.toLowerCase().replaceAll("-", "")
  return offered.find((cycle) => cycle === wanted) ?? offered[0] ?? null
}

/** Values of a product's own custom fields; ids of other products are ignored. */
export function fieldsOf(item: Item, sent: PhpMap): Record<string, string> {
  const known = item.fields.flatMap(({ id }) => {
    const value = sent.get(id)
    return value === undefined || value instanceof Map ? [] : [[id, String(value ?? "")] as const]
  })
  return Object.fromEntries(known)
}
