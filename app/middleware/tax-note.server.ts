import type { Country } from "~/domain/country"
import type { Locale } from "~/domain/locales"
import { money } from "~/domain/money"
import { type OrderTax, taxByRate } from "~/domain/order-tax"
import { expectsGrossPrices } from "~/domain/prices-with-tax"
import type { Quote } from "~/domain/pricing"
import { localizedTextFor } from "~/domain/shop/brand"
import type { Legal } from "~/domain/shop/legal"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { moneyText, rateText } from "~/ui/layout/format"

type Taxed = Pick<Quote, "total"> & { readonly tax?: OrderTax | null | undefined }

/** The tax in a total: "incl. 19 % VAT €12.61". Without tax of its own, the operator's sentence; null without either. */
export function taxNote(
  { total, tax }: Taxed,
  { legal, locale }: { readonly legal: Pick<Legal, "tax">; readonly locale: Locale },
): string | null {
  if (!tax) return localizedTextFor(legal.tax, locale.code)
  const notes = taxByRate(tax)
    .filter(({ basisPoints }) => basisPoints > 0)
    .map(({ basisPoints, tax: minor }) => {
      const amount = moneyText(money(minor, total.currency), locale)
      return `${taxWords(basisPoints, { country: tax.place.country, locale })} ${amount}`
    })
  return notes.length > 0 ? notes.join(", ") : null
}

type Read = { readonly country: Country; readonly locale: Locale }

/** "incl. 19 % VAT", by the name that the tax has in a country. */
export function taxWords(basisPoints: number, { country, locale }: Read): string {
  const key = expectsGrossPrices(country) ? "tax.included" : "tax.includedElsewhere"
  return screenTexts(locale.code)(key, { rate: rateText(basisPoints, locale) })
}
