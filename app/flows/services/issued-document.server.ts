import type { LoggedServices, Services } from "~/context/services.server"
import type { IssuedDocument } from "~/domain/tax-document"
import type { Visitor } from "./accessible-services.server"
import { orderOfLink } from "./order-of-link.server"

/**
 * An issued document of an order that the visitor may see: this session's own, or one of the signed-in customer's. Null alike for
 * a number that was never issued and for another customer's document.
 */
export async function issuedDocument(
  services: Pick<Services, "documents"> & LoggedServices,
  visitor: Visitor,
  number: string,
): Promise<IssuedDocument | null> {
  const document = await services.documents.taxDocument(number)
  if (!document) return null
  const order = await orderOfLink(services, visitor, document.orderId)
  return order && document
}
