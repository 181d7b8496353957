import type { Quote } from "~/domain/catalogue/pricing"
import type { Country } from "~/domain/customers/country"
import type { Locale } from "~/domain/locales"
import { type Currency, money } from "~/domain/money/money"
import { type KnownTax, type OrderTax, taxesOf, taxTotal } from "~/domain/orders/order-tax"
import { expectsGrossPrices } from "~/domain/orders/prices-with-tax"
import { localizedTextFor } from "~/domain/shop/brand"
import type { Legal } from "~/domain/shop/legal"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { moneyText, rateText } from "~/ui/layout/format"

type Taxed = Pick<Quote, "total"> & KnownTax

/**
 * The tax in a total: "incl. 19 % VAT €12.61", or that the business which buys owes it itself. Where consumers expect prices without
 * tax, the amount without it follows. Without tax of its own, the operator's sentence; null without either.
 */
export function taxNote(
  { total, ...known }: Taxed,
  { legal, locale }: { readonly legal: Pick<Legal, "tax">; readonly locale: Locale },
): string | null {
  const taxes = taxesOf(known)
  if (!taxes) return localizedTextFor(legal.tax, locale.code)
  if (known.tax?.place.kind === "reverse-charge") return screenTexts(locale.code)("tax.reverseCharge")
  const notes = taxes.map(
    ({ basisPoints, amount }) =>
      `${wordsOf(basisPoints, known.tax?.place.country, locale)} ${moneyText(money(amount, total.currency), locale)}`,
  )
  if (notes.length === 0) return null
  const net = known.tax ? netNotes(known.tax, { currency: total.currency, locale }) : []
  return [...notes, ...net].join(", ")
}

/** An external billing system does not say whose tax it is: it is told as that of the seller's. */
function wordsOf(basisPoints: number | null, country: Country | undefined, locale: Locale): string {
  if (basisPoints === null) return screenTexts(locale.code)("tax.sum")
  if (country !== undefined) return taxWords(basisPoints, { country, locale })
  return screenTexts(locale.code)("tax.included", { rate: rateText(basisPoints, locale) })
}

/** The amount without tax, for consumers who expect it. */
function netNotes(
  tax: OrderTax,
  { currency, locale }: { readonly currency: Currency; readonly locale: Locale },
): readonly string[] {
  if (expectsGrossPrices(tax.place.country)) return []
  const net = moneyText(money(taxTotal(tax).net, currency), locale)
  return [screenTexts(locale.code)("tax.netTotal", { net })]
}

type Read = { readonly country: Country; readonly locale: Locale }

/** "incl. 19 % VAT", by the name that the tax has in a country. */
export function taxWords(basisPoints: number, { country, locale }: Read): string {
  const key = expectsGrossPrices(country) ? "tax.included" : "tax.includedElsewhere"
  return screenTexts(locale.code)(key, { rate: rateText(basisPoints, locale) })
}
