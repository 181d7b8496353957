import type { NumberCheck } from "~/domain/customers/business"

/** Port of numbers for tax: their written form, and the service that confirms them. */
export type VatNumbers = {
  /**
   * A number as typed, with its prefix and without separators: those of member states (Greece: EL), GB, XI and CHE. Null: its
   * form or check digits are wrong.
   */
  parse(typed: string): Promise<string | null>
  /**
   * Asks whether a number exists. Never throws, and takes some seconds at most: without an answer it is `unanswered`, and
   * `unchecked` if there is nobody to ask. Answers are kept for a day.
   */
  check(taxNumber: string): Promise<NumberCheck>
}
