import type { IssuedDocument, Proforma } from "~/domain/accounting/tax-document"
import type { Day } from "~/domain/calendar"

/** Days that both count. */
export type DocumentSpan = { readonly from: Day; readonly until: Day }

/** A page of documents in the order in which they were issued. `after`: the last one of the page before. */
export type DocumentPage = {
  readonly documents: readonly IssuedDocument[]
  /** Null: there are no more. */
  readonly next: string | null
}

/** Invoices and credit notes as they were issued. Nothing changes or removes one; erasure takes the buyer's e-mail out. */
export type TaxDocuments = {
  /** The documents of an order, oldest first. */
  taxDocumentsOf(orderId: string): Promise<readonly IssuedDocument[]>
  /** A document by its number. Null: there is none. */
  taxDocument(number: string): Promise<IssuedDocument | null>
  /**
   * What an unpaid order will cost; it has no number and is not stored. Null: there is no such order, it cannot be paid, or it will get
   * no invoice.
   */
  proforma(orderId: string): Promise<Proforma | null>
  /** Numbers of the documents of orders, by order, oldest first. Orders without any are missing. */
  taxDocumentNumbers(orderIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** Documents issued in a span, a page at a time. */
  taxDocumentsIn(
    span: DocumentSpan,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<DocumentPage>
}
