import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { dayIn } from "~/domain/calendar"
import { type Country, UNKNOWN_COUNTRY } from "~/domain/country"
import { countryCodes, isCountryCode } from "~/domain/country-codes"
import type { Locale } from "~/domain/locales"
import { productRates } from "~/domain/order-tax"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { taxWords } from "~/middleware/tax-note.server"

type Context = Readonly<RouterContextProvider>

/** An offer with the choice of a country and the tax in prices; as it was in a shop that taxes nothing. */
export function withTax<P extends { readonly id: string }, Offered extends { readonly plans: readonly P[] }>(
  context: Context,
  offer: Offered,
): Offered & { readonly tax?: string } {
  const { shop, now } = context.get(servicesContext)
  const { country, buyer } = context.get(pricingContext)
  if (shop.tax === null || !buyer) return offer
  const locale = context.get(localeContext)
  const day = dayIn(shop.timeZone, now())
  const ids = offer.plans.map(({ id }) => id)
  const rates = productRates(shop.tax, ids, { buyer, day })
  const plans = offer.plans.map((plan) => {
    const rate = rates[plan.id] ?? 0
    const tax = { words: `${taxWords(rate, locale)}\u00a0`, rate, of: 10_000 + rate }
    return rate > 0 ? { ...plan, tax } : plan
  })
  return { ...offer, plans, tax: choiceOf(country, locale) }
}

/** A field of the form. Its button keeps what was filled in. Names of countries have an ampersand at most. */
function choiceOf(chosen: Country, locale: Locale): string {
  const t = screenTexts(locale.code)
  const unknown = chosen === UNKNOWN_COUNTRY ? [["", "–"] as const] : []
  const options = [...unknown, ...countriesIn(locale)].map(([code, name]) => {
    const selected = code === chosen ? " selected" : ""
    return `<option value="${code}"${selected}>${name.replaceAll("&", "&amp;")}</option>`
  })
  const field = `<label>${t("tax.country")} <select name="country">${options.join("")}</select></label>`
  return `${field} <button name="intent" value="update" formnovalidate>${t("tax.change")}</button>`
}

const named = new Map<string, readonly (readonly [Country, string])[]>()

/** All countries with their names, in the order of the language's alphabet. */
function countriesIn({ iso }: Locale): readonly (readonly [Country, string])[] {
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

/** Takes the country that a form names, in a shop that taxes by it. Another one needs the review step again. */
export function chooseCountry(form: FormData, context: Context): void {
  const country = form.get("country")
  const pricing = context.get(pricingContext)
  const { buyer } = pricing
  if (!buyer || !isCountryCode(country)) return
  const { draft } = context.get(sessionContext)
  updateSession(context, { country, draft: country === pricing.country ? draft : null })
  context.set(pricingContext, { ...pricing, country, buyer: { ...buyer, named: country } })
}
