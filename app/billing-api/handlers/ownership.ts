import type { Services } from "~/context/services.server"
import type { Order } from "~/domain/order"
import type { Service } from "~/domain/service"
import { ApiError, notFound } from "./api-error"

/** Who calls: `customerId` is the customer whose token came along, if any. */
export type ApiCall = { readonly services: Services; readonly customerId: string | null }

/** The customer a call is about: the token's, who must be the one that is named, if one is. */
export function ownerOf({ customerId }: ApiCall, named?: string): string {
  if (customerId === null) throw new ApiError("token-required", "Customer token is required")
  if (named === undefined || named === customerId) return customerId
  throw new ApiError("forbidden", "Token belongs to a different customer")
}

/** A service of the caller's customer; another's is as good as none. */
export async function ownService(
  api: ApiCall,
  { serviceid, clientid }: { serviceid: string; clientid?: string | undefined },
): Promise<Service> {
  const owner = ownerOf(api, clientid)
  const service = await api.services.billing.service(serviceid)
  if (service?.customerId !== owner) throw notFound("Service")
  return service
}

/** An order that has been found, if it is the caller's customer's. */
export function ownOrder(api: ApiCall, order: Order | null, named?: string): Order {
  if (order?.customerId !== ownerOf(api, named)) throw notFound("Order")
  return order
}
