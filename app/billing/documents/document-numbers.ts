import type { DocumentNumber } from "~/domain/accounting/document-number"
import type { Instant } from "~/domain/calendar"

/** Numbers of one kind of document in the present year. `sequence`: of the last one that was given; 0: none was. */
export type NumberSeries = DocumentNumber & {
  /** What the numbers of the kind begin with. */
  readonly prefix: string
}

/** Port of the numbers of invoices and credit notes. Every call may throw a `BillingError`. */
export interface DocumentNumbers {
  /** The series of invoices and of credit notes. Empty: the shop issues no documents. */
  numberSeries(at: Instant): Promise<readonly NumberSeries[]>
  /**
   * The next document of a kind and year comes after this number, which was handed out though the shop has no such document. False if
   * a later one was given already: a series never goes backwards. Idempotent.
   */
  continueNumbers(after: DocumentNumber): Promise<boolean>
}
