import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { dayIn } from "~/domain/calendar"
import type { Plan } from "~/domain/catalogue"
import type { Choices } from "~/domain/choices"
import { type BuyerPlace, type Country, UNKNOWN_COUNTRY } from "~/domain/country"
import { countryCodes, isCountryCode } from "~/domain/country-codes"
import type { Locale } from "~/domain/locales"
import { discountWithoutTax, planWithoutTax, withoutTax } from "~/domain/net-prices"
import { productRates } from "~/domain/order-tax"
import { expectsGrossPrices, netCurrencies } from "~/domain/prices-with-tax"
import type { AppliedPromotion } from "~/domain/promotion"
import { type TaxRules, taxRegions } from "~/domain/tax"
import { rateOff } from "~/flows/checkout/tax-of-quote.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { taxWords } from "~/middleware/pricing/tax-note.server"
import { moneyText } from "~/ui/layout/format"
import { planName } from "~/ui/layout/plan-name"

type Context = Readonly<RouterContextProvider>

/**
 * An offer with the choice of a country and the tax in prices, and at prices without it for a business that owes it itself; as it
 * was in a shop that taxes nothing.
 */
export function withTax<
  P extends Plan,
  Offered extends {
    readonly plans: readonly P[]
    readonly choices: Pick<Choices, "plan">
    readonly promotion: AppliedPromotion | null
  },
>(context: Context, offer: Offered): Offered & { readonly tax?: string } {
  const services = context.get(servicesContext)
  const { shop, now } = services
  const { country, buyer } = context.get(pricingContext)
  if (shop.tax === null || !buyer) return offer
  const locale = context.get(localeContext)
  const day = dayIn(shop.timeZone, now())
  const ids = offer.plans.map(({ id }) => id)
  const rates = productRates(shop.tax, ids, { buyer, day })
  const plans = offer.plans.map((listed) => {
    const plan = planWithoutTax(listed, rateOff(services, listed.id, buyer))
    const rate = rates[plan.id] ?? 0
    const tax = { words: `${taxWords(rate, { country, locale })}\u00a0`, rate, of: 10_000 + rate }
    return rate > 0 ? { ...plan, tax } : plan
  })
  const net = showsNetPrices(shop.tax, country) ? netPricesOf(offer.plans, { rates, locale }) : ""
  const regions = taxRegions(shop.tax, country, day)
  const choice = choiceOf({ country, region: buyer.region ?? null, regions }, locale)
  const taken = rateOff(services, offer.choices.plan, buyer)
  const promotion = offer.promotion && {
    ...offer.promotion,
    discount: discountWithoutTax(offer.promotion.discount, taken),
  }
  return {
    ...offer,
    plans,
    promotion,
    tax: `${choice} ${businessOffer(buyer, locale, taken > 0)}${net}`,
  }
}

/** Consumers of some countries expect prices without tax, where the shop has them. */
function showsNetPrices(rules: TaxRules, country: Country): boolean {
  return netCurrencies(rules).length > 0 && !expectsGrossPrices(country)
}

type Priced = { readonly rates: Readonly<Record<string, number>>; readonly locale: Locale }

/** The prices that tax was added to, below the choice of a country; nothing where none was. */
function netPricesOf(plans: readonly Plan[], { rates, locale }: Priced): string {
  const taxed = plans.filter(({ id }) => (rates[id] ?? 0) > 0)
  if (taxed.length === 0) return ""
  const prices = taxed.map(({ id, name, price }) => {
    const net = withoutTax(price, rates[id] ?? 0)
    return `${planName(name, locale)} ${moneyText(net, locale)}`
  })
  const text = screenTexts(locale.code)("tax.net", { prices: prices.join(", ") })
  return `<br><span>${asHtml(text)}</span>`
}

type Chosen = {
  readonly country: Country
  readonly region: string | null
  /** Those of the country that have taxes of their own. */
  readonly regions: readonly string[]
}

/** Fields of the form. Their button keeps what was filled in. A region is asked for where the country has some. */
function choiceOf({ country, region, regions }: Chosen, locale: Locale): string {
  const t = screenTexts(locale.code)
  const unknown = country === UNKNOWN_COUNTRY ? [none] : []
  const places = regions.toSorted(new Intl.Collator(locale.iso).compare).map((name): Option => [name, name])
  const fields = [
    selectOf("country", { label: t("tax.country"), chosen: country }, [...unknown, ...countriesIn(locale)]),
    ...(places.length > 0
      ? [selectOf("region", { label: t("tax.region"), chosen: region ?? "" }, [none, ...places])]
      : []),
  ]
  return `${fields.join(" ")} <button name="intent" value="update" formnovalidate>${t("tax.change")}</button>`
}

type Option = readonly [value: string, name: string]

const none: Option = ["", "–"]

function selectOf(
  name: string,
  { label, chosen }: { readonly label: string; readonly chosen: string },
  options: readonly Option[],
): string {
  const written = options.map(([value, text]) => {
    const selected = value === chosen ? " selected" : ""
    return `<option value="${asHtml(value)}"${selected}>${asHtml(text)}</option>`
  })
  return `<label>${label} <select name="${name}">${written.join("")}</select></label>`
}

/** Who buys if it is a business, what that does to the price, and the button that leads to its page. */
function businessOffer({ business }: BuyerPlace, locale: Locale, isUntaxed: boolean): string {
  const t = screenTexts(locale.code)
  const button = (text: string) =>
    `<button name="intent" value="${BUSINESS}" formnovalidate>${asHtml(text)}</button>`
  if (!business) return button(t("business.ask"))
  const { company, taxNumber: number, check } = business
  const notes = [
    t("business.buyer", { company, number }),
    isUntaxed && t("tax.reverseCharge"),
    check.result === "unanswered" && t("business.unanswered"),
  ]
  const text = notes.filter((it) => typeof it === "string").join(" ")
  return `<span>${asHtml(text)}</span> ${button(t("business.change"))}`
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** Names of plans and regions are the operator's, those of companies anybody's. */
function asHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (it) => entities[it] ?? it)
}

const named = new Map<string, readonly (readonly [Country, string])[]>()

/** All countries with their names, in the order of the language's alphabet. */
export function countriesIn({ iso }: Locale): readonly (readonly [Country, string])[] {
  const known = named.get(iso)
  if (known) return known
  const names = new Intl.DisplayNames(iso, { type: "region" })
  const { compare } = new Intl.Collator(iso)
  const countries = countryCodes
    .map((code) => [code, names.of(code) ?? code] as const)
    .toSorted(([, one], [, other]) => compare(one, other))
  named.set(iso, countries)
  return countries
}

/** The button of the checkout that leads to the page of the business. */
export const BUSINESS = "business"

/** Takes the country and region that a form names, in a shop that taxes by them. Others need the review step again. */
export function chooseCountry(form: FormData, context: Context): void {
  const country = form.get("country")
  const pricing = context.get(pricingContext)
  const { buyer } = pricing
  if (!buyer || !isCountryCode(country)) return
  const region = regionIn(form, country, context)
  const isSame = country === pricing.country && region === buyer.region
  const { draft } = context.get(sessionContext)
  updateSession(context, { country, region, draft: isSame ? draft : null })
  context.set(pricingContext, { ...pricing, country, buyer: { ...buyer, named: country, region } })
}

/** The region that a form names, if its country has taxes of its own there; a country that was changed has others. */
function regionIn(form: FormData, country: Country, context: Context): string | undefined {
  const { shop, now } = context.get(servicesContext)
  const region = form.get("region")
  const regions = shop.tax ? taxRegions(shop.tax, country, dayIn(shop.timeZone, now())) : []
  return regions.find((it) => it === region)
}
