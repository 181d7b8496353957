import type { DocumentSettings } from "~/domain/accounting/tax-document"

/** How invoices and credit notes are issued, from the operator's shop file. */
export type DocumentPolicy = DocumentSettings & {
  /** Time zone of the day of a document (IANA). */
  readonly timeZone: string
}
