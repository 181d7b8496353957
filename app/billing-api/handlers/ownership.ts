import type { LoggedServices } from "~/context/services.server"
import type { Order } from "~/domain/orders/order"
import type { Service } from "~/domain/services/service"
import { ApiError, notFound } from "./api-error"

/** A call: `customerId` is the customer of the Bearer token; null without a valid token. */
export type ApiCall = { readonly services: LoggedServices; readonly customerId: string | null }

/** The token's customer. Throws 401 without one, and 403 if `named` is a different customer. */
export function ownerOf({ customerId }: ApiCall, named?: string): string {
  if (customerId === null) throw new ApiError("token-required", "Customer token is required")
  if (named === undefined || named === customerId) return customerId
  throw new ApiError("forbidden", "Token belongs to a different customer")
}

/** A service of the token's customer. Throws 404 if it does not exist or is another customer's. */
export async function ownService(
  api: ApiCall,
  { serviceid, clientid }: { serviceid: string; clientid?: string | undefined },
): Promise<Service> {
  const owner = ownerOf(api, clientid)
  const service = await api.services.billing.service(serviceid)
  if (service?.customerId !== owner) throw notFound("Service")
  return service
}

/** Returns `order` if it belongs to the token's customer; throws 404 otherwise. */
export function ownOrder(api: ApiCall, order: Order | null, named?: string): Order {
  if (order?.customerId !== ownerOf(api, named)) throw notFound("Order")
  return order
}
