import type { Extra, Plan, ResellerPlan } from "../catalogue/catalogue"
import type { Extras } from "../catalogue/pricing"
import { type Currency, currencies } from "../money/money"

/** What a page showed of its prices when its form was sent; undefined for what the form does not say. */
export type ShownPrices = {
  /** Missing on pages of earlier versions. */
  readonly currency?: Currency | undefined
  /** The total in minor units, which script keeps up to date. */
  readonly total?: number | undefined
  /** By plan, in minor units: its price and those of extra connection and proxy protection; null for an extra that it has not. */
  readonly plans?: ReadonlyMap<string, readonly (number | null)[]> | undefined
}

const TOTAL = /^(\d{1,15})([A-Z]{3})?$/
const PLANS = /^([A-Z]{3})((?: [\w-]{1,64}:\d{1,15}:\d{0,15}:\d{0,15}){1,100})$/

/** The prices of a page without script, as the text of a hidden field: "EUR 1:1200:300: 3:7900:1990:2490". */
export function shownPricesText(currency: Currency, plans: readonly Plan[]): string {
  const minor = (extra: Extra | null) => extra?.price.minor ?? ""
  const prices = plans.map(({ id, price, extraConnection, proxyProtection }) =>
    [id, price.minor, minor(extraConnection), minor(proxyProtection)].join(":"),
  )
  return [currency, ...prices].join(" ")
}

/** Reads the field: a total with its currency ("7900EUR"), or such a list. Undefined for any other text. */
export function shownPricesIn(text: string): ShownPrices | undefined {
  const [, minor, code] = TOTAL.exec(text) ?? []
  if (minor !== undefined) return { total: Number(minor), currency: currencyOf(code) }
  const [, listCode, list = ""] = PLANS.exec(text) ?? []
  if (listCode === undefined) return undefined
  const plans = list
    .trim()
    .split(" ")
    .map((plan) => plan.split(":"))
    .map(([id = "", ...prices]) => [id, prices.map((it) => (it === "" ? null : Number(it)))] as const)
  return { currency: currencyOf(listCode), plans: new Map(plans) }
}

const CREDITS = /^[\w-]{1,64}:\d{1,9}(?: [\w-]{1,64}:\d{1,9}){0,99}$/

/** The credits of the reseller plans that a page shows, as the text of a hidden field: "11:10 12:25". */
export function shownCreditsText(plans: readonly Pick<ResellerPlan, "id" | "credits">[]): string {
  return plans.map(({ id, credits }) => `${id}:${credits}`).join(" ")
}

/** Reads the field: credits by plan. Undefined for any other text. */
export function shownCreditsIn(text: string): ReadonlyMap<string, number> | undefined {
  if (!CREDITS.test(text)) return undefined
  return new Map(
    text
      .split(" ")
      .map((plan) => plan.split(":"))
      .map(([id = "", credits]) => [id, Number(credits)]),
  )
}

const currencyOf = (code: string | undefined) => currencies.find((it) => it === code)

/** What a selection cost by such a list, before any discount, in minor units; undefined without the plan in it. */
export function shownCost(
  { plans }: ShownPrices,
  { plan, extraConnection, proxyProtection }: Extras & { readonly plan: string },
): number | undefined {
  const [price, ...extras] = plans?.get(plan) ?? []
  if (typeof price !== "number") return undefined
  const [connection, proxy] = extras.map((it) => it ?? 0)
  return price + (extraConnection ? (connection ?? 0) : 0) + (proxyProtection ? (proxy ?? 0) : 0)
}
