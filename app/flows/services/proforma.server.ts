import type { LoggedServices, Services } from "~/context/services.server"
import type { Proforma } from "~/domain/accounting/tax-document"
import { paidStatuses } from "~/domain/orders/order-status"
import type { SessionIdentity } from "./accessible-services.server"
import { documentedOrder } from "./issued-document.server"

/** What there is to read of an order in place of its invoice. */
export type ProformaOffer =
  | { readonly kind: "proforma"; readonly document: Proforma }
  /** The order is paid. */
  | { readonly kind: "invoice"; readonly number: string }
  /** It can be neither paid nor has it an invoice: its own page says what has become of it. */
  | { readonly kind: "ended"; readonly orderId: string }

/**
 * The proforma of an order that the visitor may see, or what has taken its place. Null alike for another customer's order, an unknown
 * one, and one that is not taxed by this shop.
 */
export async function proformaOfOrder(
  services: Pick<Services, "documents"> & LoggedServices,
  visitor: SessionIdentity,
  orderId: string,
): Promise<ProformaOffer | null> {
  const order = await documentedOrder(services, visitor, orderId)
  if (!order?.tax) return null
  const document = await services.documents.proforma(orderId)
  if (document) return { kind: "proforma", document }
  const [invoice] = paidStatuses.includes(order.status)
    ? await services.documents.taxDocumentsOf(orderId)
    : []
  return invoice ? { kind: "invoice", number: invoice.number } : { kind: "ended", orderId }
}
