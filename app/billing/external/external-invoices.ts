import type { InvoiceSettlement } from "~/billing/services/invoice-renewals"
import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { RenewalInvoice } from "~/domain/services/renewal-invoice"
import type { PaymentRecord } from "./external-services"

/** Renewal invoices of a system whose API lists and settles them. */
export interface ExternalInvoices {
  /** Unpaid invoices that renew active or suspended services of the customer, the earliest due first. */
  unpaidRenewals(customerId: string): Promise<readonly RenewalInvoice[]>
  /**
   * Records payments on an invoice, each once by its id, and only while the invoice is unpaid; the rest becomes the customer's
   * credit. `beforeWrite` is called before each call that writes, and may throw: payments that are recorded already need none,
   * so a caller learns by it whether a call with an unknown outcome was carried out.
   */
  payInvoice(paid: PaidExternalInvoice, beforeWrite: () => Promise<void>): Promise<InvoiceSettlement>
}

export type PaidExternalInvoice = {
  readonly customerId: string
  /** A service that the invoice is for. */
  readonly serviceId: string
  /** Username of its line, as it is here: see `ExternalOrderRef`. */
  readonly username: string
  readonly invoiceId: string
  /** Our order number. */
  readonly number: string
  readonly total: Money
  readonly gateway: GatewayId
  /** Payments received, oldest first; their sum may be below the total (account credit, tolerance) or above it. */
  readonly payments: readonly PaymentRecord[]
  readonly at: Instant
}
