import type { Services } from "~/context/services.server"
import type { AuthenticatedCustomer } from "~/domain/customer"
import type { Order } from "~/domain/order"
import { paidStatuses } from "~/domain/order-status"
import type { Service } from "~/domain/service"

/** Who asks: what his browser has bought, and who he has proven to be. */
export type Visitor = {
  readonly orderId: string | null
  readonly serviceIds: readonly string[]
  readonly customer: AuthenticatedCustomer | null
}

/** The services a visitor may see and change: those his browser has bought, and those of his account (design, section 6). */
export async function accessibleServices(services: Services, visitor: Visitor): Promise<readonly Service[]> {
  const { billing } = services
  const [own, customers] = await Promise.all([
    Promise.all(visitor.serviceIds.map((id) => boughtService(services, id))),
    visitor.customer ? billing.servicesOf(visitor.customer) : [],
  ])
  const all = [...own.filter((it) => it !== null), ...customers]
  return all.filter(({ id }, index) => all.findIndex((it) => it.id === id) === index)
}

/** One of them; null for a service that is not there and for one that is somebody else's alike. */
export async function accessibleService(
  services: Services,
  visitor: Visitor,
  id: string,
): Promise<Service | null> {
  const inReach = await accessibleServices(services, visitor)
  return inReach.find((service) => service.id === id) ?? null
}

/** The order in hand, if it is there. */
export async function currentOrder({ billing }: Services, { orderId }: Visitor): Promise<Order | null> {
  return orderId ? billing.order(orderId) : null
}

/** A service somebody has paid for; what has only been ordered is nobody's yet. */
async function boughtService({ billing }: Services, id: string): Promise<Service | null> {
  const service = await billing.service(id)
  if (!service || service.status === "Cancelled") return null
  if (service.status === "Active") return service
  const order = await billing.order(service.orderId)
  return order && paidStatuses.includes(order.status) ? service : null
}
