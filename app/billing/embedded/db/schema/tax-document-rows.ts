import type { IssuedKind } from "~/domain/accounting/tax-document"
import type { Day, Instant } from "~/domain/calendar"
import type { Country } from "~/domain/customers/country"
import type { Currency } from "~/domain/money/money"

/** The last number of a kind of document in a year. */
export type DocumentNumberRow = {
  kind: IssuedKind
  year: number
  last: number
  /** How many of the numbers are of no document here: they were given after the backup that was restored. */
  skipped: number
}

/** A document as it was issued. */
export type TaxDocumentRow = {
  number: string
  kind: IssuedKind
  /** Of `issued_on`. */
  year: number
  sequence: number
  order_id: string
  /** Of the order's documents, from 0: two writers cannot issue the same one. */
  position: number
  issued_at: Instant
  issued_on: Day
  currency: Currency
  /** Whose tax it has. */
  country: Country
  net: number
  tax: number
  gross: number
  /** Number of the invoice that a credit note corrects. */
  corrects: string | null
  /** `StoredContent` as JSON. */
  content: string
  /** The buyer's e-mail as it was; null: it is that of the order's customer, who may be erased. */
  buyer_email: string | null
}
