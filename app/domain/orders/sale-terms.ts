import type { Instant } from "../calendar"
import type { Country } from "../customers/country"

/** The two declarations of a buyer, as they were shown, with their time. */
export type Declarations = {
  readonly at: Instant
  readonly consent: string
  readonly acknowledgement: string
}

/** What applied to a sale by the country of its buyer, kept with the order. */
export type SaleTerms = {
  readonly country: Country
  /** Null: the order cannot be withdrawn from on a page. */
  readonly withdrawalDays: number | null
  /** Null: none were asked for. */
  readonly declarations: Declarations | null
}
