import type { Day, Instant } from "./calendar"
import type { Country } from "./country"
import type { GatewayId } from "./gateway-id"
import type { LocaleCode } from "./locales"
import type { Currency } from "./money"
import type { TaxedLine, TaxPlace } from "./tax"

/**
 * `invoice`: what a paid order has sold. `credit-note`: what a refund takes back of an invoice. `proforma`: what an unpaid order
 * will cost; it has no number and is never stored.
 */
export const taxDocumentKinds = ["invoice", "credit-note", "proforma"] as const
export type TaxDocumentKind = (typeof taxDocumentKinds)[number]

/** The kinds that are issued: numbered without gaps, stored and never changed. */
export type IssuedKind = Exclude<TaxDocumentKind, "proforma">

/** Who sells. `address`: its lines without the country. */
export type DocumentSeller = {
  readonly name: string
  readonly address: readonly string[]
  readonly country: Country
  /** The number under which the tax of this sale is declared. Null: the sale is not taxed, or the seller has none. */
  readonly taxNumber: string | null
  readonly email: string | null
}

/** Who buys. Null: not known, as with consumers, of whom nothing but the e-mail is asked. */
export type DocumentBuyer = {
  /** Null: erased. */
  readonly email: string | null
  readonly country: Country
  readonly company: string | null
  readonly address: readonly string[]
  readonly taxNumber: string | null
}

/** A line in the words of the buyer's language. Amounts of a credit note are positive: its kind says that they are taken back. */
export type DocumentLine = TaxedLine & {
  readonly text: string
  readonly quantity: number
}

/** How an invoice was paid, or a credit note paid back, in minor units. `credit`: account credit. */
export type DocumentPayment = {
  readonly by: GatewayId | "credit" | "other"
  readonly amount: number
  readonly at: Instant
}

/** A document of an order's tax: what it says is a snapshot that later changes of the shop, buyer and order do not touch. */
export type TaxDocument = {
  readonly kind: TaxDocumentKind
  /** Number in the series of its kind and year; null for a proforma. */
  readonly number: string | null
  readonly issuedAt: Instant
  /** The day in the shop's time zone; its year is that of the number. */
  readonly issuedOn: Day
  /** The day of the sale (of an invoice: when it was paid). */
  readonly suppliedOn: Day
  readonly orderId: string
  /** The order's own invoice id, by which gateways and mails know it. */
  readonly invoiceId: string
  /** The invoice that a credit note corrects. */
  readonly corrects: { readonly number: string; readonly issuedOn: Day } | null
  readonly locale: LocaleCode
  readonly currency: Currency
  readonly place: TaxPlace
  readonly seller: DocumentSeller
  readonly buyer: DocumentBuyer
  readonly lines: readonly DocumentLine[]
  readonly payments: readonly DocumentPayment[]
}

/** A document with its number. */
export type IssuedDocument = TaxDocument & { readonly kind: IssuedKind; readonly number: string }
