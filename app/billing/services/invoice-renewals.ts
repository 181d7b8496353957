import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { RenewalInvoice } from "~/domain/services/renewal-invoice"
import type { NewRenewal } from "./renewals"

/**
 * Port of renewals by invoices of an external billing system, which decides on terms, due dates and prices itself. Embedded
 * billing has none. Every call may throw a `BillingError`.
 */
export interface InvoiceRenewals {
  /**
   * The customer's unpaid renewal invoices that can be paid here, the earliest due first. `shown`: may be some seconds old, and
   * is empty while external billing is unavailable. `current`: as external billing has them now.
   */
  renewalInvoices(customerId: string, read: "shown" | "current"): Promise<readonly RenewalInvoice[]>
  /**
   * The unpaid order for the same invoice and amount that `placeInvoiceRenewal` would continue; null: there is none. An order of a
   * signed-in customer is not handed to others.
   */
  openInvoiceRenewal(renewal: OpenInvoiceRenewal): Promise<Order | null>
  /**
   * Creates the local order that pays an invoice, or continues the one of `openInvoiceRenewal`. Idempotent by `key`. Throws
   * `BillingError` "refused" if the invoice renews none of the customer's services, or if another order has used the key.
   */
  placeInvoiceRenewal(renewal: NewInvoiceRenewal): Promise<Order>
  /**
   * Reports a paid order's payments to external billing, each once, and copies the due dates that it names then. Money that the
   * invoice no longer needs becomes the customer's credit there. Idempotent; throws "unavailable" while the outcome of an
   * earlier call is unknown.
   */
  settleInvoiceRenewal(orderId: string, at: Instant): Promise<InvoiceSettlement>
}

/** `credited`: part of the order's total that became credit in external billing. */
export type InvoiceSettlement = { readonly credited: Money }

/** `invoice`: as `renewalInvoices` has returned it. */
export type NewInvoiceRenewal = Omit<NewRenewal, "items" | "quote" | "known" | "holdReason"> & {
  readonly invoice: RenewalInvoice
  /** Unpaid orders for the invoice that this one takes the place of, so that they are not continued. */
  readonly replaced?: readonly string[]
}

export type OpenInvoiceRenewal = Pick<
  NewInvoiceRenewal,
  "customerId" | "invoice" | "accessScope" | "at" | "replaced"
>
