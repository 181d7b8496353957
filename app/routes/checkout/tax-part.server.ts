import type { Plan } from "~/domain/catalogue/catalogue"
import type { Business } from "~/domain/customers/business"
import { type Country, UNKNOWN_COUNTRY } from "~/domain/customers/country"
import type { Locale } from "~/domain/locales"
import { withoutTax } from "~/domain/tax/net-prices"
import { countriesIn } from "~/i18n/country-names.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { moneyText } from "~/ui/layout/format"
import { planName } from "~/ui/layout/plan-name"

/**
 * The part of the checkout that only a shop that taxes has: where the buyer is, whether it is a business, and prices without tax. As
 * HTML of the server, so that the script of all other checkouts has nothing of it. Every function returns escaped HTML.
 */

/** The button of the checkout that leads to the page of the business. */
export const BUSINESS = "business"

type Chosen = {
  readonly country: Country
  readonly region: string | null
  /** Those of the country that have taxes of their own. */
  readonly regions: readonly string[]
}

/** Fields of the form. Their button keeps what was filled in. A region is asked for where the country has some. */
export function countryFields({ country, region, regions }: Chosen, locale: Locale): string {
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

type Buyer = { readonly business: Business | undefined; readonly isUntaxed: boolean }

/** Who buys if it is a business, what that does to the price, and the button that leads to its page. */
export function businessOffer({ business, isUntaxed }: Buyer, locale: Locale): string {
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

type Priced = { readonly rates: Readonly<Record<string, number>>; readonly locale: Locale }

/** The prices that tax was added to, below the choice of a country; nothing where none was. */
export function netPrices(plans: readonly Plan[], { rates, locale }: Priced): string {
  const taxed = plans.filter(({ id }) => (rates[id] ?? 0) > 0)
  if (taxed.length === 0) return ""
  const prices = taxed.map(({ id, name, price }) => {
    const net = withoutTax(price, rates[id] ?? 0)
    return `${planName(name, locale)} ${moneyText(net, locale)}`
  })
  const text = screenTexts(locale.code)("tax.net", { prices: prices.join(", ") })
  return `<br><span>${asHtml(text)}</span>`
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** Names of plans and regions are the operator's, those of companies anybody's. */
function asHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (it) => entities[it] ?? it)
}
