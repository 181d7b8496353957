import type { LoggedServices, Services } from "~/context/services.server"
import type { IssuedDocument } from "~/domain/accounting/tax-document"
import type { Order } from "~/domain/orders/order"
import { isForAnother, type SessionIdentity } from "./accessible-services.server"
import { orderOfLink } from "./order-of-link.server"

/**
 * An issued document of an order whose documents the visitor may see. Null alike for a number that was never issued and for another
 * customer's document.
 */
export async function issuedDocument(
  services: Pick<Services, "documents"> & LoggedServices,
  visitor: SessionIdentity,
  number: string,
): Promise<IssuedDocument | null> {
  const document = await services.documents.taxDocument(number)
  if (!document) return null
  const order = await documentedOrder(services, visitor, document.orderId)
  return order && document
}

/**
 * An order whose documents the visitor may see: this session's own, or one of the signed-in customer's. Not one for another's service:
 * who pays for somebody else does not learn their e-mail and address. Null: another order, or none.
 */
export async function documentedOrder(
  services: LoggedServices,
  visitor: SessionIdentity,
  orderId: string,
): Promise<Order | null> {
  const found = await orderOfLink(services, visitor, orderId)
  if (!found || (await isForAnother(services, visitor, found.order))) return null
  return found.order
}
