import type { DocumentLine, ShownDocument, TaxDocument } from "~/domain/accounting/tax-document"
import type { Instant } from "~/domain/calendar"
import { type Country, countryName, UNKNOWN_COUNTRY } from "~/domain/customers/country"
import { defaultLocale, type Locale, localeOfCode } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { taxByRate, taxTotal } from "~/domain/orders/order-tax"
import type { Brand } from "~/domain/shop/brand"
import { dateTimeText, dayText, moneyText, monthsText, rateText } from "~/ui/layout/format"
import { planName } from "~/ui/layout/plan-name"
import { accountingText } from "./accounting-text"
import { documentTexts } from "./texts"

/** The shop of today that shows a document: `timeZone` (IANA) for the days of payments, its name for a seller without one. */
export type ShowingShop = { readonly timeZone: string; readonly brand: Pick<Brand, "name"> }

/** A name and what is said of it. */
export type LabelledText = { readonly label: string; readonly text: string }

/** A party of the sale: its role, and what is printed under it. */
type DocumentParty = { readonly role: string; readonly lines: readonly string[] }

/** What a tax document says, in the words and figures of its language: its page and its PDF print it as it is. */
export type DocumentView = {
  readonly lang: string
  /** "Invoice 2026-00017"; a proforma has its order's number. */
  readonly title: string
  readonly facts: readonly LabelledText[]
  readonly seller: DocumentParty
  readonly buyer: DocumentParty
  /** That it is no invoice, what it corrects, why it has no tax. */
  readonly notes: readonly string[]
  readonly caption: string
  readonly columns: DocumentRow
  readonly rows: readonly DocumentRow[]
  /** Net, the tax of each rate, and last the total. */
  readonly totals: readonly LabelledText[]
  /** The tax in the accounting currency, and what the items have less than the prices. */
  readonly remarks: readonly string[]
  readonly paymentsTitle: string
  readonly payments: readonly LabelledText[]
  readonly pageOf: (page: number, count: number) => string
}

export type DocumentRow = {
  readonly text: string
  readonly quantity: string
  readonly rate: string
  readonly net: string
  readonly tax: string
  readonly gross: string
}

/** What a document says. Source: article 226 of Directive 2006/112/EC. */
export function documentView(document: ShownDocument, { timeZone, brand }: ShowingShop): DocumentView {
  const locale = localeOfCode(document.locale) ?? defaultLocale
  const t = documentTexts(locale.code)
  const amount = (minor: number) => moneyText(money(minor, document.currency), locale)
  return {
    lang: locale.iso,
    title: `${t(`kind.${document.kind}`)} ${document.number ?? document.orderId}`,
    facts: factsOf(document, locale, timeZone),
    seller: sellerOf(document, locale, brand),
    buyer: buyerParty(document, locale),
    notes: notesOf(document, locale),
    caption: t("lines"),
    columns: {
      text: t("text"),
      quantity: t("quantity"),
      rate: t("rate"),
      net: t("net"),
      tax: t("tax"),
      gross: t("gross"),
    },
    rows: document.lines.map(({ basisPoints, net, tax, gross, ...line }) => ({
      text: lineText(line, document.locale),
      quantity: new Intl.NumberFormat(locale.iso).format(line.quantity),
      rate: document.place.kind === "taxed" ? rateText(basisPoints, locale) : "–",
      net: amount(net),
      tax: amount(tax),
      gross: amount(gross),
    })),
    totals: totalsOf(document, locale),
    remarks: remarkTexts(document),
    paymentsTitle: t(`payments.${document.kind}`),
    payments: document.payments.map(({ by, amount: minor, at }) => ({
      label: t("payment", { by: t(`by.${by}`), on: dayText(at, locale, timeZone) }),
      text: amount(minor),
    })),
    pageOf: (page, count) => t("page", { page, count }),
  }
}

/** A reason in words for a sale without tax; null for a taxed one. */
export function untaxedReason({ place, locale }: Pick<TaxDocument, "place" | "locale">): string | null {
  return place.kind === "taxed" ? null : documentTexts(locale)(`notes.${place.kind}`)
}

/** What stands under the sums, in words. */
export function remarkTexts(
  document: Pick<TaxDocument, "accounting" | "reductions" | "currency" | "locale">,
): readonly string[] {
  const accounting = accountingText(document)
  return accounting === null ? reductionTexts(document) : [accounting, ...reductionTexts(document)]
}

/** What has been taken off the prices, in words. */
function reductionTexts({
  reductions = [],
  currency,
  locale: code,
}: Pick<TaxDocument, "reductions" | "currency" | "locale">): readonly string[] {
  const t = documentTexts(code)
  const locale = localeOfCode(code) ?? defaultLocale
  return reductions.map((it) => {
    const amount = moneyText(money(it.amount, currency), locale)
    return it.kind === "discount"
      ? t("reductions.discount", { amount, code: it.code })
      : t("reductions.unusedTime", { amount, plan: planName(it.name, locale) })
  })
}

/** The country that stands in a buyer's address: that of the tax if theirs is not known. */
export function buyerCountryOf({ buyer, place }: Pick<TaxDocument, "buyer" | "place">): Country {
  return buyer.country === UNKNOWN_COUNTRY ? place.country : buyer.country
}

type NamedLine = Pick<DocumentLine, "kind" | "text" | "months">

/** What was sold, in the words of the language. */
export function lineText(line: NamedLine, code: TaxDocument["locale"]): string {
  const t = documentTexts(code)
  switch (line.kind) {
    case "plan":
    case "renewal":
    case "planChange":
      return planText(line, localeOfCode(code) ?? defaultLocale)
    case "extraConnection":
    case "proxyProtection":
    case "moreConnections":
      return t(`line.${line.kind}`)
    default:
      return line.text ?? t("line.other")
  }
}

/** A plan that is named by its duration is not followed by it again. */
function planText({ text, months }: NamedLine, locale: Locale): string {
  const name = text === null ? documentTexts(locale.code)("line.plan") : planName(text, locale)
  const span = months === null ? name : monthsText(months, locale)
  return name === span ? name : `${name} · ${span}`
}

/** By what name a seller is called: an operator who has not said it is known by the name of the shop. */
export function sellerName({ seller }: Pick<TaxDocument, "seller">, brand: ShowingShop["brand"]): string {
  return seller.name ?? brand.name
}

/** By what name a buyer is called: consumers give none, and an erased one has no e-mail either. */
export function buyerName({ buyer, locale }: Pick<TaxDocument, "buyer" | "locale">): string {
  return buyer.company ?? buyer.email ?? documentTexts(locale)("consumer")
}

function factsOf(document: ShownDocument, locale: Locale, timeZone: string): readonly LabelledText[] {
  const { number, issuedOn, suppliedOn, orderId } = document
  const t = documentTexts(locale.code)
  const numbered = number === null ? [] : [{ label: t("number"), text: number }]
  // What is not sold yet has no date of supply.
  const term =
    document.kind === "proforma"
      ? { label: t("payableUntil"), text: dateTimeText(document.payableUntil, locale, timeZone) }
      : { label: t("suppliedOn"), text: dayText(startOf(suppliedOn), locale, "UTC") }
  return [
    ...numbered,
    { label: t("issuedOn"), text: dayText(startOf(issuedOn), locale, "UTC") },
    term,
    { label: t("order"), text: orderId },
  ]
}

function sellerOf(document: TaxDocument, locale: Locale, brand: ShowingShop["brand"]): DocumentParty {
  const { seller } = document
  const t = documentTexts(locale.code)
  const lines = [sellerName(document, brand), ...seller.address, countryName(seller.country, locale)]
  if (seller.taxNumber !== null) lines.push(t("taxNumber", { number: seller.taxNumber }))
  if (seller.email !== null) lines.push(seller.email)
  return { role: t("seller"), lines }
}

function buyerParty(document: TaxDocument, locale: Locale): DocumentParty {
  const t = documentTexts(locale.code)
  const { buyer } = document
  const lines = [buyerName(document), ...buyer.address, countryName(buyerCountryOf(document), locale)]
  if (buyer.taxNumber !== null) lines.push(t("taxNumber", { number: buyer.taxNumber }))
  if (buyer.company !== null && buyer.email !== null) lines.push(buyer.email)
  return { role: t("buyer"), lines }
}

function notesOf(document: TaxDocument, locale: Locale): readonly string[] {
  const t = documentTexts(locale.code)
  const { kind, corrects } = document
  const corrected = corrects && {
    number: corrects.number,
    on: dayText(startOf(corrects.issuedOn), locale, "UTC"),
  }
  const notes = [
    kind === "proforma" ? t("proforma") : null,
    corrected && t("corrects", corrected),
    untaxedReason(document),
  ]
  return notes.filter((note) => note !== null)
}

function totalsOf({ lines, currency, place }: TaxDocument, locale: Locale): readonly LabelledText[] {
  const t = documentTexts(locale.code)
  const amount = (minor: number) => moneyText(money(minor, currency), locale)
  const { net, gross } = taxTotal({ lines })
  const rates = place.kind === "taxed" ? taxByRate({ lines }) : []
  return [
    { label: t("totalNet"), text: amount(net) },
    ...rates.map((rate) => ({
      label: t("totalTax", { rate: rateText(rate.basisPoints, locale), net: amount(rate.net) }),
      text: amount(rate.tax),
    })),
    { label: t("total"), text: amount(gross) },
  ]
}

function startOf(day: string): Instant {
  return Date.parse(`${day}T00:00:00Z`)
}
